BEGIN;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE approval (
	id VARCHAR NOT NULL, 
	call VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	binding VARCHAR NOT NULL, 
	card VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	expires DATETIME NOT NULL, 
	created DATETIME NOT NULL, 
	decided DATETIME, 
	"by" VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	trace VARCHAR NOT NULL, remind DATETIME, word VARCHAR DEFAULT '' NOT NULL, policy INTEGER DEFAULT '0' NOT NULL, unseen INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(call) REFERENCES call (id), 
	FOREIGN KEY(owner) REFERENCES owner (id), 
	UNIQUE (call)
);
CREATE TABLE attachment (
	mail VARCHAR NOT NULL, 
	ordinal INTEGER NOT NULL, 
	owner VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	content_type VARCHAR NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	blob VARCHAR NOT NULL, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (mail, ordinal), 
	FOREIGN KEY(mail) REFERENCES mail (id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE audit (
	number INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	trace VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	kind VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	actor VARCHAR NOT NULL, 
	tool VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	args VARCHAR NOT NULL, 
	verdict VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	result VARCHAR NOT NULL, 
	began DATETIME, 
	ended DATETIME, 
	place INTEGER, 
	previous VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	PRIMARY KEY (number), 
	FOREIGN KEY(owner) REFERENCES owner (id), 
	UNIQUE (id), 
	UNIQUE (place)
);
CREATE TABLE audit_cut (
	owner VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	hash VARCHAR NOT NULL, 
	count INTEGER NOT NULL, 
	newest DATETIME NOT NULL, 
	file VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (owner, place), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE call (
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	conversation VARCHAR NOT NULL, 
	turn INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	tool VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	facts TEXT NOT NULL, 
	asked TEXT NOT NULL, 
	risk VARCHAR NOT NULL, 
	reasons TEXT NOT NULL, 
	report BOOLEAN NOT NULL, 
	tainted BOOLEAN NOT NULL, 
	state VARCHAR NOT NULL, 
	result VARCHAR NOT NULL, 
	told VARCHAR NOT NULL, 
	fence INTEGER NOT NULL, 
	trace VARCHAR NOT NULL, 
	created DATETIME NOT NULL, 
	started DATETIME, 
	ended DATETIME, actor VARCHAR DEFAULT 'model' NOT NULL, reach VARCHAR DEFAULT 'governs' NOT NULL, verdict VARCHAR DEFAULT '' NOT NULL, layer VARCHAR DEFAULT '' NOT NULL, rule VARCHAR DEFAULT '' NOT NULL, policy INTEGER DEFAULT '0' NOT NULL, mode VARCHAR DEFAULT 'normal' NOT NULL, grant VARCHAR DEFAULT '' NOT NULL, word VARCHAR DEFAULT '' NOT NULL, supersedes VARCHAR DEFAULT '' NOT NULL, undoes VARCHAR DEFAULT '' NOT NULL, copied TEXT DEFAULT '[]' NOT NULL, output VARCHAR DEFAULT '' NOT NULL, failure TEXT DEFAULT 'null' NOT NULL, touched TEXT DEFAULT '[]' NOT NULL, progress VARCHAR DEFAULT '' NOT NULL, beat DATETIME, stop BOOLEAN DEFAULT 0 NOT NULL, cleared DATETIME, led TEXT DEFAULT '[]' NOT NULL, typed TEXT DEFAULT '[]' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(conversation) REFERENCES conversation (id), 
	FOREIGN KEY(owner) REFERENCES owner (id), 
	UNIQUE (owner, number)
);
CREATE TABLE canary (
	queue VARCHAR NOT NULL, 
	sent DOUBLE NOT NULL, 
	passed DOUBLE NOT NULL, 
	seen DOUBLE NOT NULL, 
	PRIMARY KEY (queue)
);
CREATE TABLE conversation (
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	last INTEGER NOT NULL, 
	heard INTEGER NOT NULL, 
	thought INTEGER NOT NULL, 
	turns INTEGER NOT NULL, 
	tainted BOOLEAN NOT NULL, 
	closed BOOLEAN NOT NULL, 
	began DATETIME NOT NULL, 
	spoke DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, aside VARCHAR DEFAULT '' NOT NULL, emptied DATETIME, 
	PRIMARY KEY (id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE delivery (
	owner VARCHAR NOT NULL, 
	id VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	wanted TEXT NOT NULL, 
	digest VARCHAR NOT NULL, 
	shown VARCHAR NOT NULL, 
	handle VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	trace VARCHAR NOT NULL, 
	created DATETIME NOT NULL, tried DATETIME, note VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (owner, id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE effect (
	call VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	destination VARCHAR NOT NULL, 
	"before" TEXT NOT NULL, 
	"after" TEXT NOT NULL, 
	state VARCHAR NOT NULL, 
	fence INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, inverse TEXT DEFAULT '{}' NOT NULL, undone VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (call, "key"), 
	FOREIGN KEY(call) REFERENCES call (id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE entry (
	conversation VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	owner VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	origin VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	call VARCHAR NOT NULL, 
	trace VARCHAR NOT NULL, 
	at DATETIME NOT NULL, source VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (conversation, seq), 
	FOREIGN KEY(conversation) REFERENCES conversation (id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE file (
	owner VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	PRIMARY KEY (owner, path), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE file_version (
	owner VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	deleted BOOLEAN NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	blob VARCHAR NOT NULL, 
	content_type VARCHAR NOT NULL, 
	origin VARCHAR NOT NULL, 
	source VARCHAR NOT NULL, 
	call VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (owner, path, version), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE grant (
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	tool VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	scope TEXT NOT NULL, 
	destination VARCHAR NOT NULL, 
	reach VARCHAR NOT NULL, 
	tainted BOOLEAN NOT NULL, 
	uses INTEGER NOT NULL, 
	used INTEGER NOT NULL, 
	from_call VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	created DATETIME NOT NULL, 
	expires DATETIME NOT NULL, 
	last_used DATETIME, 
	revoked DATETIME, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(owner) REFERENCES owner (id), 
	UNIQUE (owner, number)
);
CREATE TABLE high_water (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE installation (
	id VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	private_calendar BOOLEAN NOT NULL, 
	seen DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE job (
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	trace VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	queue VARCHAR NOT NULL, 
	due DOUBLE NOT NULL, 
	rung DOUBLE NOT NULL, 
	ring_after DOUBLE NOT NULL, 
	rings INTEGER NOT NULL, 
	attempts INTEGER NOT NULL, 
	claim VARCHAR, 
	worker VARCHAR NOT NULL, 
	beat INTEGER NOT NULL, 
	again BOOLEAN NOT NULL, 
	failed BOOLEAN NOT NULL, 
	error VARCHAR NOT NULL, waits_for VARCHAR DEFAULT '' NOT NULL, waits_since DOUBLE DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE mail (
	number INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	size INTEGER NOT NULL, 
	door VARCHAR NOT NULL, 
	raw VARCHAR NOT NULL, 
	received DATETIME NOT NULL, 
	state VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	message_id VARCHAR NOT NULL, 
	sender VARCHAR NOT NULL, 
	sender_address VARCHAR NOT NULL, 
	recipients VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	sent DATETIME, 
	body VARCHAR NOT NULL, 
	defects TEXT NOT NULL, 
	summary VARCHAR NOT NULL, 
	summarised_by VARCHAR NOT NULL, 
	trace VARCHAR NOT NULL, provisional BOOLEAN DEFAULT 0 NOT NULL, bundle VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (number), 
	FOREIGN KEY(owner) REFERENCES owner (id), 
	UNIQUE (id), 
	UNIQUE (owner, sha256)
);
CREATE VIRTUAL TABLE mail_fts USING fts5(
      subject, sender, summary, content='mail', content_rowid='number',
      tokenize='unicode61 remove_diacritics 2');
CREATE TABLE mode (
	owner VARCHAR NOT NULL, 
	mode VARCHAR NOT NULL, 
	"before" VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	since DATETIME NOT NULL, 
	review DATETIME, 
	word VARCHAR NOT NULL, 
	asked DATETIME, 
	PRIMARY KEY (owner), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE model_use (
	number INTEGER NOT NULL, 
	owner VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	milliseconds INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, cause VARCHAR DEFAULT '' NOT NULL, outcome VARCHAR DEFAULT 'answered' NOT NULL, 
	PRIMARY KEY (number), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE own_event (
	owner VARCHAR NOT NULL, 
	calendar VARCHAR NOT NULL, 
	uid VARCHAR NOT NULL, 
	call VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (owner, calendar, uid), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE owner (
	id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	zone VARCHAR NOT NULL, 
	calls INTEGER NOT NULL, 
	created DATETIME NOT NULL, grants INTEGER DEFAULT '0' NOT NULL, chosen_zone VARCHAR DEFAULT '' NOT NULL, acted DATETIME, 
	PRIMARY KEY (id)
);
CREATE TABLE person (
	channel VARCHAR NOT NULL, 
	id VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (channel, id), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE policy (
	owner VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (owner, version), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE screen (
	number INTEGER NOT NULL, 
	owner VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	shown TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (number), 
	FOREIGN KEY(owner) REFERENCES owner (id), 
	UNIQUE ("key")
);
CREATE TABLE sighting (
	owner VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	event VARCHAR NOT NULL, 
	at DATETIME NOT NULL, 
	PRIMARY KEY (owner, channel, event), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE TABLE token (
	hash VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	verb VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	card VARCHAR NOT NULL, 
	delivery VARCHAR NOT NULL, 
	terms TEXT NOT NULL, 
	actor VARCHAR NOT NULL, 
	expires DATETIME NOT NULL, 
	used DATETIME, 
	"by" VARCHAR NOT NULL, 
	created DATETIME NOT NULL, 
	trace VARCHAR NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(owner) REFERENCES owner (id)
);
CREATE INDEX ix_approval_decided ON approval (owner, decided);
CREATE INDEX ix_audit_loose ON audit (number) WHERE place IS NULL;
CREATE INDEX ix_audit_owner ON audit (owner, number);
CREATE INDEX ix_audit_subject ON audit (subject);
CREATE INDEX ix_audit_trace ON audit (trace);
CREATE INDEX ix_call_created ON call (owner, created);
CREATE INDEX ix_call_state ON call (owner, state, number);
CREATE INDEX ix_call_turn ON call (conversation, turn, number);
CREATE UNIQUE INDEX ix_conversation_open ON conversation (owner, channel, place) WHERE NOT closed;
CREATE INDEX ix_conversation_place ON conversation (owner, channel, place);
CREATE INDEX ix_conversation_worded ON conversation (owner, spoke) WHERE emptied IS NULL;
CREATE INDEX ix_delivery_created ON delivery (owner, created);
CREATE INDEX ix_delivery_old ON delivery (owner, created) WHERE substr(id, 1, 4) <> 'mail';
CREATE INDEX ix_delivery_unsettled ON delivery (owner, created) WHERE CASE WHEN shown = digest THEN 0 ELSE 1 END = 1;
CREATE INDEX ix_effect_at ON effect (at);
CREATE INDEX ix_effect_key ON effect ("key", at);
CREATE INDEX ix_file_search_folded ON file (owner, lower(path));
CREATE INDEX ix_grant_expires ON grant (expires);
CREATE INDEX ix_job_failed ON job (due) WHERE failed;
CREATE INDEX ix_job_held ON job (claim) WHERE claim IS NOT NULL;
CREATE INDEX ix_job_waiting ON job (due) WHERE claim IS NULL AND NOT failed;
CREATE INDEX ix_mail_address ON mail (owner, sender_address, received);
CREATE INDEX ix_mail_bundle ON mail (owner, bundle) WHERE bundle <> '';
CREATE INDEX ix_mail_newest ON mail (owner, number) WHERE state <> 'forgotten';
CREATE INDEX ix_mail_provisional ON mail (owner, provisional, number) WHERE provisional;
CREATE INDEX ix_mail_received ON mail (owner, received, number) WHERE state <> 'forgotten';
CREATE INDEX ix_mail_state ON mail (owner, state, number);
CREATE INDEX ix_model_use_at ON model_use (owner, at);
CREATE INDEX ix_screen_place ON screen (place, number);
CREATE INDEX ix_sighting_at ON sighting (at);
CREATE INDEX ix_token_delivery ON token (owner, delivery);
CREATE INDEX ix_token_expires ON token (expires);
CREATE TRIGGER audit_cut_is_kept BEFORE DELETE ON audit_cut BEGIN SELECT RAISE(ABORT, 'a cut of the audit cannot be changed or deleted'); END;
CREATE TRIGGER audit_cut_stays BEFORE UPDATE ON audit_cut BEGIN SELECT RAISE(ABORT, 'a cut of the audit cannot be changed or deleted'); END;
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit WHEN NOT EXISTS (SELECT 1 FROM audit_cut WHERE owner = OLD.owner AND place >= OLD.place) BEGIN SELECT RAISE(ABORT, 'an audit entry cannot be deleted'); END;
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit WHEN OLD.place IS NOT NULL OR OLD.number IS NOT NEW.number OR OLD.id IS NOT NEW.id OR OLD.owner IS NOT NEW.owner OR OLD.trace IS NOT NEW.trace OR OLD.at IS NOT NEW.at OR OLD.kind IS NOT NEW.kind OR OLD.subject IS NOT NEW.subject OR OLD.actor IS NOT NEW.actor OR OLD.tool IS NOT NEW.tool OR OLD.version IS NOT NEW.version OR OLD.args IS NOT NEW.args OR OLD.verdict IS NOT NEW.verdict OR OLD.reason IS NOT NEW.reason OR OLD.result IS NOT NEW.result OR OLD.began IS NOT NEW.began OR OLD.ended IS NOT NEW.ended BEGIN SELECT RAISE(ABORT, 'an audit entry cannot be changed'); END;
CREATE TRIGGER mail_fts_changed AFTER UPDATE OF subject, sender, summary ON mail BEGIN
      INSERT INTO mail_fts (mail_fts, rowid, subject, sender, summary)
      VALUES ('delete', old.number, old.subject, old.sender, old.summary);
      INSERT INTO mail_fts (rowid, subject, sender, summary)
      VALUES (new.number, new.subject, new.sender, new.summary);
    END;
CREATE TRIGGER mail_fts_new AFTER INSERT ON mail BEGIN
      INSERT INTO mail_fts (rowid, subject, sender, summary)
      VALUES (new.number, new.subject, new.sender, new.summary);
    END;
CREATE TRIGGER mail_fts_old AFTER DELETE ON mail BEGIN
      INSERT INTO mail_fts (mail_fts, rowid, subject, sender, summary)
      VALUES ('delete', old.number, old.subject, old.sender, old.summary);
    END;
INSERT INTO "alembic_version" ("version_num") VALUES
('0010');
INSERT INTO "approval" ("id", "call", "owner", "binding", "card", "state", "expires", "created", "decided", "by", "reason", "trace", "remind", "word", "policy", "unseen") VALUES
('0e147c946f1d3980', '3ece615104d8dcbf', 'owner', '2:8a775d58d54ff1bfd89ecd56390d32d4e03f6f2a51cd87209ed04c29584f99b7', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'open', '2026-11-23 08:10:00.000000', '2026-11-20 08:10:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:10:00.000000', '', 0, 0),
('1e1b3a2e96b09b7f', 'd01912e6fdb4d413', 'owner', '2:6055a48f4580bb117ac374d07a368eb3caaa3ab232c6b0f21135e5d49c126a98', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'open', '2026-11-23 08:06:00.000000', '2026-11-20 08:06:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:06:00.000000', '', 0, 0),
('3981277e00a7f472', '9a04ad5822f61d85', 'owner', '2:1194d0051a896fcf6666465f412edb543866d31a506e2445f325cba362c8663a', '604c66552f6ff31f0965f5258c8e0b52859a54efe67c90be8eb9f54e8082e239', 'open', '2026-11-23 08:01:00.000000', '2026-11-20 08:01:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:01:00.000000', '', 0, 0),
('3d34a61be5b4286b', '4cc4d7cf57ff8000', 'owner', '2:025a15ad1a225bdee38b5bb594603006c78586eee2cdbf1ed470b04096445c40', 'cd3f286a440b5ebb793b99e89b8dd950572d998b29c13aeb7c7e7e695dd74aa2', 'open', '2026-11-23 08:02:00.000000', '2026-11-20 08:02:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:02:00.000000', '', 0, 0),
('4eb3d6296f6536eb', 'd9e9fc5ad1df7ad8', 'owner', '2:6571a0178f27a37d060b87a45a2ff877413c62e57a18dbd6a7e2dcb65249cb2a', '79ee6c94b5bb5a5e52776132f02e1d58f334b381682ef187a84715969bf20598', 'open', '2026-11-23 08:03:00.000000', '2026-11-20 08:03:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:03:00.000000', '', 0, 0),
('5540ebca1139c500', 'c46c70429cb8f2da', 'owner', '2:3e03d4b0208273865a940470dcf03ac7f43ced7c645ac7564ce2dc0623ca0cc2', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'open', '2026-11-23 08:10:00.000000', '2026-11-20 08:10:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:10:00.000000', '', 0, 0),
('5590abdcca142ddc', '3d07a15efac0f205', 'owner', '2:36c865b77c1475b70924e9b95968e94d633dae7ddafac0ae867d155d081a03ca', '34e85df96eb35268ef8b4934e0a4f40b47727e62b57f511fd34975ac2f17c46e', 'open', '2026-11-23 08:04:00.000000', '2026-11-20 08:04:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:04:00.000000', '', 0, 0),
('6c5d8a74d5afb9ac', '8738abf621be8eff', 'owner', '2:17b6a76eea93d768af356ac0fd88070a50ad784738eeda8894f9e1bf96046731', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'open', '2026-11-23 08:08:00.000000', '2026-11-20 08:08:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:08:00.000000', '', 0, 0),
('7733d65476e36474', '744bd2c52204b995', 'owner', '2:42c351cc5af5bb254e98cafa20d3084d879c3dcd7dc8006e87e6cbf119c6d17c', '13fa0e80828517976d4430fa953f464f09f3be33f7e20000e282859971ac26f9', 'open', '2026-11-23 08:04:00.000000', '2026-11-20 08:04:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:04:00.000000', '', 0, 0),
('78f7e5adc784c1d0', '13b77ced9e83ccbc', 'owner', '2:d9cd95b90986a5c38eca9c0fe83d69dc50c7937020d5c59c3f7ac5f9175f36e1', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'open', '2026-11-23 08:08:00.000000', '2026-11-20 08:08:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:08:00.000000', '', 0, 0),
('7b5a384469e77e03', '6ae4e4f925b17a26', 'owner', '2:ba6211d6fe5be89ce4b5d1a4f6cccbe7c7d653f8d412a3afabfabc5b51d74b05', '4f294e6ede078696061afd49e5a92ac4eb7e95bebdcb569e9197797c8b2c0b5b', 'open', '2026-11-23 08:05:00.000000', '2026-11-20 08:05:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:05:00.000000', '', 0, 0),
('87af0c148ac19fb2', 'e81b749f6ea2e39a', 'owner', '2:8d85319d16b05f4863c3f4932a71bf9bed9e0b22cb0adf210710cc467acea843', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'open', '2026-11-23 08:06:00.000000', '2026-11-20 08:06:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:06:00.000000', '', 0, 0),
('8956a59e101e8756', '08b8910088d7746d', 'owner', '2:e348c176bb275de7c7e46bd2ba0632160d90b18f8a95b443d3312f60b7d7c366', '22f9578b802d938c0e532a2c756a87297e99e1c10ea7b3aeaedaba29f02af750', 'open', '2026-11-23 08:01:00.000000', '2026-11-20 08:01:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:01:00.000000', '', 0, 0),
('9640bb521bd40b7b', '0db6fcd38252b913', 'owner', '2:0cd3e21a74bcd2e098a4df173461e85eebca262c6fc4078aad024377f86e1bb9', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'open', '2026-11-23 08:07:00.000000', '2026-11-20 08:07:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:07:00.000000', '', 0, 0),
('990d95aa10354e5d', 'bd89114e3deb6a02', 'owner', '2:e9ec915395af52f4cfb477a3dad8f9c1d4486d2d1a3b8892f5f9671a889ba805', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'open', '2026-11-23 08:09:00.000000', '2026-11-20 08:09:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:09:00.000000', '', 0, 0),
('9c428f2ac6e0d699', 'c23850b615feeab4', 'owner', '2:b1107a6f13318c2e50bc4d3f4a3f06bcd5daf08662ebdae01458107d5d9555dd', '4ed45575c0cfe145b728988778251226010d5dd4eea41b9d423130254f896e0a', 'open', '2026-11-23 08:03:00.000000', '2026-11-20 08:03:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:03:00.000000', '', 0, 0),
('ca7d88b416238667', '4929055f3b1fe385', 'owner', '2:e61695f5f80f19e09f67dc9b89c7b2e2602a68bc120d1f50d8c5a566b8668a65', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'open', '2026-11-23 08:09:00.000000', '2026-11-20 08:09:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:09:00.000000', '', 0, 0),
('cb2902c004d5122f', '585c88885fb6a4e6', 'owner', '2:76ef91d65fd2299254c0eb15bb90ec3a0dbb5880b13dc242132b5feb375038e2', 'b5e594d997d319ba1b2fe1df30d3c4a1ae97f5288a910d3a3d9238a2fd3b2c82', 'open', '2026-11-23 08:02:00.000000', '2026-11-20 08:02:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:02:00.000000', '', 0, 0),
('d39e5de2216cb406', 'b0a32d30476573fa', 'owner', '2:801a922cfe06f2356c8a796391ebf5fb5c3aafd9d2d2d9907f15ea7bd2eb9099', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'open', '2026-11-23 08:07:00.000000', '2026-11-20 08:07:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:07:00.000000', '', 0, 0),
('ee82355de065cad4', '8375701dec50266c', 'owner', '2:e368ea140e4276a8df430273534cb8a4028afec9c93bc7440f935026b7bd63d4', '04ba0b6ae871a233144d70e9d2da690058039d0c723c0803577bbc14d5bc3f7e', 'open', '2026-11-23 08:05:00.000000', '2026-11-20 08:05:00.000000', NULL, '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-21 20:05:00.000000', '', 0, 0);
INSERT INTO "audit" ("number", "id", "owner", "trace", "at", "kind", "subject", "actor", "tool", "version", "args", "verdict", "reason", "result", "began", "ended", "place", "previous", "hash") VALUES
(1, 'f71f7673f6d8592b', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', 'call.parked', '08b8910088d7746d', 'model', 'create_event', '1', '7c157dbda05d67a6ca0008633caa093e3d53af9eb3af74387298d05a8de079af', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(2, '84a90095b0d91446', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', 'call.parked', '9a04ad5822f61d85', 'model', 'create_event', '1', 'fa4ab6e14b019c314742829987d90d31d0b070ef8e14dd4c840f4589b4d2c98c', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(3, 'a8779e51ee4e2204', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', 'call.parked', '4cc4d7cf57ff8000', 'model', 'create_event', '1', 'a4218a840043659f1c7b2120e28c8e6dc9cdb9f37745f987411753d607478603', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(4, '5e49723d08d2038d', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', 'call.parked', '585c88885fb6a4e6', 'model', 'create_event', '1', 'dc7f5d8f482312ce1b0a021c15b581d94d3cec90afb943f75276075a168ca23f', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(5, '1a2cc632ec313859', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', 'call.parked', 'c23850b615feeab4', 'model', 'create_event', '1', 'a1aff2267ec5541f189775c8ac8db60fecdd10e5ba334f921a17bf1f6265d678', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(6, '6a596d6f57c30886', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', 'call.parked', 'd9e9fc5ad1df7ad8', 'model', 'create_event', '1', 'cbe491e1dd2a29960d2f7ddaa8a3872046e657faedd68b49b83310d13fcfbfa1', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(7, 'def47ed41c676331', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', 'call.parked', '744bd2c52204b995', 'model', 'create_event', '1', '7805ac1a6b869c26e979d298b7e9e63a2ea43078ccf8352ab07c3c03565c2b47', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(8, '1a558353d3e50439', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', 'call.parked', '3d07a15efac0f205', 'model', 'create_event', '1', 'bb2d0e8c16976ef7b309b071513342ab45334597cb02afad2956b4e40857ed08', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(9, 'f8e5f4a9877e8096', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', 'call.parked', '8375701dec50266c', 'model', 'create_event', '1', '20967b2cdb8021302068f4f81536ca3789285f5e43208aefeda8a00531b1ab72', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(10, '9fb4c13f08cf6a68', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', 'call.parked', '6ae4e4f925b17a26', 'model', 'create_event', '1', 'ff67f3de57207513b11c5cfda1184adacc4c36170cebd039093dece34a67bae0', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(11, 'ffeb2b63e72c386c', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', 'call.parked', 'e81b749f6ea2e39a', 'model', 'create_event', '1', 'dbb8b395c1a04f71fca77a6d85c7b49102af06ae6d4c9c04ad4b7f4f923610a2', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(12, '07c6a4fa43f79fe7', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', 'call.parked', 'd01912e6fdb4d413', 'model', 'create_event', '1', 'b21d85c2655ad04eda27bde1d4f142f93329348864c016ce47d9ac7b8e4d14b9', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(13, '5091b2f00555d9c5', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', 'call.parked', 'b0a32d30476573fa', 'model', 'create_event', '1', '2066805b684270e0cf8838d4d07b05d74cbe34c16c6167bec1422b62feb71c4c', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(14, '896fa26570c2faf8', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', 'call.parked', '0db6fcd38252b913', 'model', 'create_event', '1', '9972efb91e04385e5fb344ce2c0e3dd9f5af438c5ca76eed6a998f5725d2727e', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(15, 'd782b0e537f5e4a0', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', 'call.parked', '13b77ced9e83ccbc', 'model', 'create_event', '1', '605ea9c0b22d8d0e0b21c196853b4e254a0c9a133245f1b58fb44fdba4b1bbf3', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(16, 'ae0e88b397085741', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', 'call.parked', '8738abf621be8eff', 'model', 'create_event', '1', 'e5a6ae428769db548c19f7432a518cc56f8ad36535347c7b636047158c43df2a', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(17, 'd6817a36080d94d7', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', 'call.parked', '4929055f3b1fe385', 'model', 'create_event', '1', '91603f93c16aedb3360d203da28c7a43deeb0941670ddb5aab3336750cd917df', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(18, '0c315eb709103519', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', 'call.parked', 'bd89114e3deb6a02', 'model', 'create_event', '1', 'ee39bbe6a7f0e6a1e3aad04c91f83190c2a3a4d6de87e033e7cec36afbd0f41f', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(19, 'f4540d40f987b00b', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', 'call.parked', 'c46c70429cb8f2da', 'model', 'create_event', '1', '54283c43a523ebc2b08ff1928469c2d980d4977a100a387a078bda45214d6242', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', ''),
(20, 'af93d8d8d0aafc26', 'owner', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', 'call.parked', '3ece615104d8dcbf', 'model', 'create_event', '1', '98dacea6c30a8fc9608615832ac84666fff38563e864ab03bced3945b764ab2b', 'ask', 'base: create_event is high risk here, so ask; policy 0, mode normal', '', NULL, NULL, NULL, '', '');
INSERT INTO "call" ("id", "owner", "number", "conversation", "turn", "ordinal", "tool", "version", "facts", "asked", "risk", "reasons", "report", "tainted", "state", "result", "told", "fence", "trace", "created", "started", "ended", "actor", "reach", "verdict", "layer", "rule", "policy", "mode", "grant", "word", "supersedes", "undoes", "copied", "output", "failure", "touched", "progress", "beat", "stop", "cleared", "led", "typed") VALUES
('08b8910088d7746d', 'owner', 1, 'f4b2f9f558d0a0b7', 2, 0, 'create_event', '1', '{"args":{"uid":"assistant-08b8910088d7746d","title":"First, each/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-08b8910088d7746d":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-08b8910088d7746d"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, each/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('0db6fcd38252b913', 'owner', 14, 'cb05c3a462172a00', 7, 1, 'create_event', '1', '{"args":{"uid":"assistant-0db6fcd38252b913","title":"Second, all/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-0db6fcd38252b913":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-0db6fcd38252b913"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, all/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('13b77ced9e83ccbc', 'owner', 15, 'cb05c3a462172a00', 12, 0, 'create_event', '1', '{"args":{"uid":"assistant-13b77ced9e83ccbc","title":"First, none/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-13b77ced9e83ccbc":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-13b77ced9e83ccbc"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, none/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('3d07a15efac0f205', 'owner', 8, 'f4b2f9f558d0a0b7', 17, 1, 'create_event', '1', '{"args":{"uid":"assistant-3d07a15efac0f205","title":"Second, edited/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-3d07a15efac0f205":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-3d07a15efac0f205"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, edited/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('3ece615104d8dcbf', 'owner', 20, 'cb05c3a462172a00', 22, 1, 'create_event', '1', '{"args":{"uid":"assistant-3ece615104d8dcbf","title":"Second, expires/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-3ece615104d8dcbf":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-3ece615104d8dcbf"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, expires/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('4929055f3b1fe385', 'owner', 17, 'cb05c3a462172a00', 17, 0, 'create_event', '1', '{"args":{"uid":"assistant-4929055f3b1fe385","title":"First, edited/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-4929055f3b1fe385":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-4929055f3b1fe385"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, edited/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('4cc4d7cf57ff8000', 'owner', 3, 'f4b2f9f558d0a0b7', 7, 0, 'create_event', '1', '{"args":{"uid":"assistant-4cc4d7cf57ff8000","title":"First, all/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-4cc4d7cf57ff8000":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-4cc4d7cf57ff8000"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, all/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('585c88885fb6a4e6', 'owner', 4, 'f4b2f9f558d0a0b7', 7, 1, 'create_event', '1', '{"args":{"uid":"assistant-585c88885fb6a4e6","title":"Second, all/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-585c88885fb6a4e6":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-585c88885fb6a4e6"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, all/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('6ae4e4f925b17a26', 'owner', 10, 'f4b2f9f558d0a0b7', 22, 1, 'create_event', '1', '{"args":{"uid":"assistant-6ae4e4f925b17a26","title":"Second, expires/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-6ae4e4f925b17a26":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-6ae4e4f925b17a26"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, expires/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('744bd2c52204b995', 'owner', 7, 'f4b2f9f558d0a0b7', 17, 0, 'create_event', '1', '{"args":{"uid":"assistant-744bd2c52204b995","title":"First, edited/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-744bd2c52204b995":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-744bd2c52204b995"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, edited/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('8375701dec50266c', 'owner', 9, 'f4b2f9f558d0a0b7', 22, 0, 'create_event', '1', '{"args":{"uid":"assistant-8375701dec50266c","title":"First, expires/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-8375701dec50266c":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-8375701dec50266c"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, expires/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('8738abf621be8eff', 'owner', 16, 'cb05c3a462172a00', 12, 1, 'create_event', '1', '{"args":{"uid":"assistant-8738abf621be8eff","title":"Second, none/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-8738abf621be8eff":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-8738abf621be8eff"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, none/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('9a04ad5822f61d85', 'owner', 2, 'f4b2f9f558d0a0b7', 2, 1, 'create_event', '1', '{"args":{"uid":"assistant-9a04ad5822f61d85","title":"Second, each/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-9a04ad5822f61d85":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-9a04ad5822f61d85"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, each/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('b0a32d30476573fa', 'owner', 13, 'cb05c3a462172a00', 7, 0, 'create_event', '1', '{"args":{"uid":"assistant-b0a32d30476573fa","title":"First, all/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-b0a32d30476573fa":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-b0a32d30476573fa"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, all/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('bd89114e3deb6a02', 'owner', 18, 'cb05c3a462172a00', 17, 1, 'create_event', '1', '{"args":{"uid":"assistant-bd89114e3deb6a02","title":"Second, edited/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-bd89114e3deb6a02":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-bd89114e3deb6a02"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, edited/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('c23850b615feeab4', 'owner', 5, 'f4b2f9f558d0a0b7', 12, 0, 'create_event', '1', '{"args":{"uid":"assistant-c23850b615feeab4","title":"First, none/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-c23850b615feeab4":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-c23850b615feeab4"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, none/terminal","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('c46c70429cb8f2da', 'owner', 19, 'cb05c3a462172a00', 22, 0, 'create_event', '1', '{"args":{"uid":"assistant-c46c70429cb8f2da","title":"First, expires/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-c46c70429cb8f2da":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-c46c70429cb8f2da"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, expires/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('d01912e6fdb4d413', 'owner', 12, 'cb05c3a462172a00', 2, 1, 'create_event', '1', '{"args":{"uid":"assistant-d01912e6fdb4d413","title":"Second, each/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-d01912e6fdb4d413":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-d01912e6fdb4d413"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, each/discord","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('d9e9fc5ad1df7ad8', 'owner', 6, 'f4b2f9f558d0a0b7', 12, 1, 'create_event', '1', '{"args":{"uid":"assistant-d9e9fc5ad1df7ad8","title":"Second, none/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-d9e9fc5ad1df7ad8":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-d9e9fc5ad1df7ad8"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"Second, none/terminal","start":"2026-12-10T12:00:00+01:00","end":"2026-12-10T12:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]'),
('e81b749f6ea2e39a', 'owner', 11, 'cb05c3a462172a00', 2, 0, 'create_event', '1', '{"args":{"uid":"assistant-e81b749f6ea2e39a","title":"First, each/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"},"destination":"memory://calendar/ as owner","state":{"assistant-e81b749f6ea2e39a":""},"before":{},"own":true,"trouble":"","locations":["calendar:assistant-e81b749f6ea2e39a"],"destructive":false,"made_here":false,"size":0,"hosts":[],"command":""}', '{"title":"First, each/discord","start":"2026-12-10T10:00:00+01:00","end":"2026-12-10T10:30:00+01:00"}', 'high', '["base: create_event is high risk here, so ask"]', 0, 0, 'parked', '', '', 0, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', NULL, NULL, 'model', 'writes', 'ask', 'base', '', 0, 'normal', '', '', '', '', '[]', '', 'null', '[]', '', NULL, 0, NULL, '[]', '[]');
INSERT INTO "conversation" ("id", "owner", "channel", "place", "last", "heard", "thought", "turns", "tainted", "closed", "began", "spoke", "trace", "aside", "emptied") VALUES
('cb05c3a462172a00', 'owner', 'discord', 'dm:42', 25, 24, 24, 2, 0, 0, '2026-11-20 08:06:00.000000', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff', '', NULL),
('f4b2f9f558d0a0b7', 'owner', 'terminal', 'owner', 25, 24, 24, 2, 0, 0, '2026-11-20 08:01:00.000000', '2026-11-20 08:05:00.000000', 'ffffffffffffffffffffffffffffffff', '', NULL);
INSERT INTO "delivery" ("owner", "id", "channel", "place", "wanted", "digest", "shown", "handle", "revision", "trace", "created", "tried", "note") VALUES
('owner', 'card-08b8910088d7746d', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cFirst, each/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"08b8910088d7746d","handle":"A1"},{"verb":"edit","label":"Edit","subject":"08b8910088d7746d","handle":"A1"},{"verb":"deny","label":"Deny","subject":"08b8910088d7746d","handle":"A1"},{"verb":"more","label":"More","subject":"08b8910088d7746d","handle":"A1"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A1 \u00b7 can be undone \u00b7 answer by Mon 09:01 \u00b7 asked with A2","tone":"waits"}', '22f9578b802d938c0e532a2c756a87297e99e1c10ea7b3aeaedaba29f02af750', '22f9578b802d938c0e532a2c756a87297e99e1c10ea7b3aeaedaba29f02af750', 'owner:card-08b8910088d7746d', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', NULL, ''),
('owner', 'card-0db6fcd38252b913', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cSecond, all/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"0db6fcd38252b913","handle":"A14"},{"verb":"edit","label":"Edit","subject":"0db6fcd38252b913","handle":"A14"},{"verb":"deny","label":"Deny","subject":"0db6fcd38252b913","handle":"A14"},{"verb":"more","label":"More","subject":"0db6fcd38252b913","handle":"A14"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A14 \u00b7 can be undone \u00b7 answer by Mon 09:07 \u00b7 asked with A13","tone":"waits"}', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'owner:card-0db6fcd38252b913', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000001', NULL, ''),
('owner', 'card-13b77ced9e83ccbc', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cFirst, none/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"13b77ced9e83ccbc","handle":"A15"},{"verb":"edit","label":"Edit","subject":"13b77ced9e83ccbc","handle":"A15"},{"verb":"deny","label":"Deny","subject":"13b77ced9e83ccbc","handle":"A15"},{"verb":"more","label":"More","subject":"13b77ced9e83ccbc","handle":"A15"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A15 \u00b7 can be undone \u00b7 answer by Mon 09:08 \u00b7 asked with A16","tone":"waits"}', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'owner:card-13b77ced9e83ccbc', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', NULL, ''),
('owner', 'card-3d07a15efac0f205', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cSecond, edited/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"3d07a15efac0f205","handle":"A8"},{"verb":"edit","label":"Edit","subject":"3d07a15efac0f205","handle":"A8"},{"verb":"deny","label":"Deny","subject":"3d07a15efac0f205","handle":"A8"},{"verb":"more","label":"More","subject":"3d07a15efac0f205","handle":"A8"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A8 \u00b7 can be undone \u00b7 answer by Mon 09:04 \u00b7 asked with A7","tone":"waits"}', '34e85df96eb35268ef8b4934e0a4f40b47727e62b57f511fd34975ac2f17c46e', '34e85df96eb35268ef8b4934e0a4f40b47727e62b57f511fd34975ac2f17c46e', 'owner:card-3d07a15efac0f205', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000001', NULL, ''),
('owner', 'card-3ece615104d8dcbf', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cSecond, expires/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"3ece615104d8dcbf","handle":"A20"},{"verb":"edit","label":"Edit","subject":"3ece615104d8dcbf","handle":"A20"},{"verb":"deny","label":"Deny","subject":"3ece615104d8dcbf","handle":"A20"},{"verb":"more","label":"More","subject":"3ece615104d8dcbf","handle":"A20"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A20 \u00b7 can be undone \u00b7 answer by Mon 09:10 \u00b7 asked with A19","tone":"waits"}', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'owner:card-3ece615104d8dcbf', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000001', NULL, ''),
('owner', 'card-4929055f3b1fe385', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cFirst, edited/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"4929055f3b1fe385","handle":"A17"},{"verb":"edit","label":"Edit","subject":"4929055f3b1fe385","handle":"A17"},{"verb":"deny","label":"Deny","subject":"4929055f3b1fe385","handle":"A17"},{"verb":"more","label":"More","subject":"4929055f3b1fe385","handle":"A17"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A17 \u00b7 can be undone \u00b7 answer by Mon 09:09 \u00b7 asked with A18","tone":"waits"}', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'owner:card-4929055f3b1fe385', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', NULL, ''),
('owner', 'card-4cc4d7cf57ff8000', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cFirst, all/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"4cc4d7cf57ff8000","handle":"A3"},{"verb":"edit","label":"Edit","subject":"4cc4d7cf57ff8000","handle":"A3"},{"verb":"deny","label":"Deny","subject":"4cc4d7cf57ff8000","handle":"A3"},{"verb":"more","label":"More","subject":"4cc4d7cf57ff8000","handle":"A3"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A3 \u00b7 can be undone \u00b7 answer by Mon 09:02 \u00b7 asked with A4","tone":"waits"}', 'cd3f286a440b5ebb793b99e89b8dd950572d998b29c13aeb7c7e7e695dd74aa2', 'cd3f286a440b5ebb793b99e89b8dd950572d998b29c13aeb7c7e7e695dd74aa2', 'owner:card-4cc4d7cf57ff8000', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', NULL, ''),
('owner', 'card-585c88885fb6a4e6', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cSecond, all/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"585c88885fb6a4e6","handle":"A4"},{"verb":"edit","label":"Edit","subject":"585c88885fb6a4e6","handle":"A4"},{"verb":"deny","label":"Deny","subject":"585c88885fb6a4e6","handle":"A4"},{"verb":"more","label":"More","subject":"585c88885fb6a4e6","handle":"A4"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A4 \u00b7 can be undone \u00b7 answer by Mon 09:02 \u00b7 asked with A3","tone":"waits"}', 'b5e594d997d319ba1b2fe1df30d3c4a1ae97f5288a910d3a3d9238a2fd3b2c82', 'b5e594d997d319ba1b2fe1df30d3c4a1ae97f5288a910d3a3d9238a2fd3b2c82', 'owner:card-585c88885fb6a4e6', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000001', NULL, ''),
('owner', 'card-6ae4e4f925b17a26', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cSecond, expires/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"6ae4e4f925b17a26","handle":"A10"},{"verb":"edit","label":"Edit","subject":"6ae4e4f925b17a26","handle":"A10"},{"verb":"deny","label":"Deny","subject":"6ae4e4f925b17a26","handle":"A10"},{"verb":"more","label":"More","subject":"6ae4e4f925b17a26","handle":"A10"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A10 \u00b7 can be undone \u00b7 answer by Mon 09:05 \u00b7 asked with A9","tone":"waits"}', '4f294e6ede078696061afd49e5a92ac4eb7e95bebdcb569e9197797c8b2c0b5b', '4f294e6ede078696061afd49e5a92ac4eb7e95bebdcb569e9197797c8b2c0b5b', 'owner:card-6ae4e4f925b17a26', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000001', NULL, ''),
('owner', 'card-744bd2c52204b995', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cFirst, edited/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"744bd2c52204b995","handle":"A7"},{"verb":"edit","label":"Edit","subject":"744bd2c52204b995","handle":"A7"},{"verb":"deny","label":"Deny","subject":"744bd2c52204b995","handle":"A7"},{"verb":"more","label":"More","subject":"744bd2c52204b995","handle":"A7"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A7 \u00b7 can be undone \u00b7 answer by Mon 09:04 \u00b7 asked with A8","tone":"waits"}', '13fa0e80828517976d4430fa953f464f09f3be33f7e20000e282859971ac26f9', '13fa0e80828517976d4430fa953f464f09f3be33f7e20000e282859971ac26f9', 'owner:card-744bd2c52204b995', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', NULL, ''),
('owner', 'card-8375701dec50266c', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cFirst, expires/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"8375701dec50266c","handle":"A9"},{"verb":"edit","label":"Edit","subject":"8375701dec50266c","handle":"A9"},{"verb":"deny","label":"Deny","subject":"8375701dec50266c","handle":"A9"},{"verb":"more","label":"More","subject":"8375701dec50266c","handle":"A9"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A9 \u00b7 can be undone \u00b7 answer by Mon 09:05 \u00b7 asked with A10","tone":"waits"}', '04ba0b6ae871a233144d70e9d2da690058039d0c723c0803577bbc14d5bc3f7e', '04ba0b6ae871a233144d70e9d2da690058039d0c723c0803577bbc14d5bc3f7e', 'owner:card-8375701dec50266c', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', NULL, ''),
('owner', 'card-8738abf621be8eff', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cSecond, none/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"8738abf621be8eff","handle":"A16"},{"verb":"edit","label":"Edit","subject":"8738abf621be8eff","handle":"A16"},{"verb":"deny","label":"Deny","subject":"8738abf621be8eff","handle":"A16"},{"verb":"more","label":"More","subject":"8738abf621be8eff","handle":"A16"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A16 \u00b7 can be undone \u00b7 answer by Mon 09:08 \u00b7 asked with A15","tone":"waits"}', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'owner:card-8738abf621be8eff', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000001', NULL, ''),
('owner', 'card-9a04ad5822f61d85', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cSecond, each/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"9a04ad5822f61d85","handle":"A2"},{"verb":"edit","label":"Edit","subject":"9a04ad5822f61d85","handle":"A2"},{"verb":"deny","label":"Deny","subject":"9a04ad5822f61d85","handle":"A2"},{"verb":"more","label":"More","subject":"9a04ad5822f61d85","handle":"A2"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A2 \u00b7 can be undone \u00b7 answer by Mon 09:01 \u00b7 asked with A1","tone":"waits"}', '604c66552f6ff31f0965f5258c8e0b52859a54efe67c90be8eb9f54e8082e239', '604c66552f6ff31f0965f5258c8e0b52859a54efe67c90be8eb9f54e8082e239', 'owner:card-9a04ad5822f61d85', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000001', NULL, ''),
('owner', 'card-b0a32d30476573fa', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cFirst, all/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"b0a32d30476573fa","handle":"A13"},{"verb":"edit","label":"Edit","subject":"b0a32d30476573fa","handle":"A13"},{"verb":"deny","label":"Deny","subject":"b0a32d30476573fa","handle":"A13"},{"verb":"more","label":"More","subject":"b0a32d30476573fa","handle":"A13"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A13 \u00b7 can be undone \u00b7 answer by Mon 09:07 \u00b7 asked with A14","tone":"waits"}', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'owner:card-b0a32d30476573fa', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', NULL, ''),
('owner', 'card-bd89114e3deb6a02', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cSecond, edited/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"bd89114e3deb6a02","handle":"A18"},{"verb":"edit","label":"Edit","subject":"bd89114e3deb6a02","handle":"A18"},{"verb":"deny","label":"Deny","subject":"bd89114e3deb6a02","handle":"A18"},{"verb":"more","label":"More","subject":"bd89114e3deb6a02","handle":"A18"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A18 \u00b7 can be undone \u00b7 answer by Mon 09:09 \u00b7 asked with A17","tone":"waits"}', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'owner:card-bd89114e3deb6a02', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000001', NULL, ''),
('owner', 'card-c23850b615feeab4', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cFirst, none/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"c23850b615feeab4","handle":"A5"},{"verb":"edit","label":"Edit","subject":"c23850b615feeab4","handle":"A5"},{"verb":"deny","label":"Deny","subject":"c23850b615feeab4","handle":"A5"},{"verb":"more","label":"More","subject":"c23850b615feeab4","handle":"A5"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A5 \u00b7 can be undone \u00b7 answer by Mon 09:03 \u00b7 asked with A6","tone":"waits"}', '4ed45575c0cfe145b728988778251226010d5dd4eea41b9d423130254f896e0a', '4ed45575c0cfe145b728988778251226010d5dd4eea41b9d423130254f896e0a', 'owner:card-c23850b615feeab4', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', NULL, ''),
('owner', 'card-c46c70429cb8f2da', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cFirst, expires/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"c46c70429cb8f2da","handle":"A19"},{"verb":"edit","label":"Edit","subject":"c46c70429cb8f2da","handle":"A19"},{"verb":"deny","label":"Deny","subject":"c46c70429cb8f2da","handle":"A19"},{"verb":"more","label":"More","subject":"c46c70429cb8f2da","handle":"A19"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A19 \u00b7 can be undone \u00b7 answer by Mon 09:10 \u00b7 asked with A20","tone":"waits"}', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'owner:card-c46c70429cb8f2da', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', NULL, ''),
('owner', 'card-d01912e6fdb4d413', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cSecond, each/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"d01912e6fdb4d413","handle":"A12"},{"verb":"edit","label":"Edit","subject":"d01912e6fdb4d413","handle":"A12"},{"verb":"deny","label":"Deny","subject":"d01912e6fdb4d413","handle":"A12"},{"verb":"more","label":"More","subject":"d01912e6fdb4d413","handle":"A12"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A12 \u00b7 can be undone \u00b7 answer by Mon 09:06 \u00b7 asked with A11","tone":"waits"}', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'owner:card-d01912e6fdb4d413', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000001', NULL, ''),
('owner', 'card-d9e9fc5ad1df7ad8', 'terminal', 'owner', '{"kind":"card","title":"Create \u201cSecond, none/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"d9e9fc5ad1df7ad8","handle":"A6"},{"verb":"edit","label":"Edit","subject":"d9e9fc5ad1df7ad8","handle":"A6"},{"verb":"deny","label":"Deny","subject":"d9e9fc5ad1df7ad8","handle":"A6"},{"verb":"more","label":"More","subject":"d9e9fc5ad1df7ad8","handle":"A6"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A6 \u00b7 can be undone \u00b7 answer by Mon 09:03 \u00b7 asked with A5","tone":"waits"}', '79ee6c94b5bb5a5e52776132f02e1d58f334b381682ef187a84715969bf20598', '79ee6c94b5bb5a5e52776132f02e1d58f334b381682ef187a84715969bf20598', 'owner:card-d9e9fc5ad1df7ad8', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000001', NULL, ''),
('owner', 'card-e81b749f6ea2e39a', 'discord', 'dm:42', '{"kind":"card","title":"Create \u201cFirst, each/discord\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"e81b749f6ea2e39a","handle":"A11"},{"verb":"edit","label":"Edit","subject":"e81b749f6ea2e39a","handle":"A11"},{"verb":"deny","label":"Deny","subject":"e81b749f6ea2e39a","handle":"A11"},{"verb":"more","label":"More","subject":"e81b749f6ea2e39a","handle":"A11"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A11 \u00b7 can be undone \u00b7 answer by Mon 09:06 \u00b7 asked with A12","tone":"waits"}', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'owner:card-e81b749f6ea2e39a', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', NULL, ''),
('owner', 'words-cb05c3a462172a00-10', 'discord', 'dm:42', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A13, A14.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', '146d99e8c70379a39a37bfcf0ed4d60bf6da2486e911c657d10b9a5170136c8a', '146d99e8c70379a39a37bfcf0ed4d60bf6da2486e911c657d10b9a5170136c8a', 'owner:words-cb05c3a462172a00-10', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', NULL, ''),
('owner', 'words-cb05c3a462172a00-15', 'discord', 'dm:42', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A15, A16.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 'af8875cab7b5dccb23e0ba04a2d8e1ffda79a193d668f17f63bd09a916fed071', 'af8875cab7b5dccb23e0ba04a2d8e1ffda79a193d668f17f63bd09a916fed071', 'owner:words-cb05c3a462172a00-15', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', NULL, ''),
('owner', 'words-cb05c3a462172a00-20', 'discord', 'dm:42', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A17, A18.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', '15e250096980efa2bf0bdeaf6a7d622ad332464bae9d0fc9d0d9e02994ebe781', '15e250096980efa2bf0bdeaf6a7d622ad332464bae9d0fc9d0d9e02994ebe781', 'owner:words-cb05c3a462172a00-20', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', NULL, ''),
('owner', 'words-cb05c3a462172a00-25', 'discord', 'dm:42', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A19, A20.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 'e2f516da28376361569673882329458f530a8653e22a654523f5fd91f086d032', 'e2f516da28376361569673882329458f530a8653e22a654523f5fd91f086d032', 'owner:words-cb05c3a462172a00-25', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', NULL, ''),
('owner', 'words-cb05c3a462172a00-5', 'discord', 'dm:42', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A11, A12.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', '7424eff7d5892dab45aadfee2e9a30a5de85b4ec8d72aa6f78add3ce7c94cf26', '7424eff7d5892dab45aadfee2e9a30a5de85b4ec8d72aa6f78add3ce7c94cf26', 'owner:words-cb05c3a462172a00-5', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', NULL, ''),
('owner', 'words-f4b2f9f558d0a0b7-10', 'terminal', 'owner', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A3, A4.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', '58c3f5c866539ce58f148a457bde54493991d811a2e3154034ade69ca2c66716', '58c3f5c866539ce58f148a457bde54493991d811a2e3154034ade69ca2c66716', 'owner:words-f4b2f9f558d0a0b7-10', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', NULL, ''),
('owner', 'words-f4b2f9f558d0a0b7-15', 'terminal', 'owner', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A5, A6.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 'e2824bddd517fb5ba8f0f64c91ba19a74a92165036d33765b40451da39e286f0', 'e2824bddd517fb5ba8f0f64c91ba19a74a92165036d33765b40451da39e286f0', 'owner:words-f4b2f9f558d0a0b7-15', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', NULL, ''),
('owner', 'words-f4b2f9f558d0a0b7-20', 'terminal', 'owner', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A7, A8.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', '86b79aac20ce076ae770edbf5827520b89c8c06743896efc2cbc83df0c00390e', '86b79aac20ce076ae770edbf5827520b89c8c06743896efc2cbc83df0c00390e', 'owner:words-f4b2f9f558d0a0b7-20', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', NULL, ''),
('owner', 'words-f4b2f9f558d0a0b7-25', 'terminal', 'owner', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A9, A10.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 'bb2a257975ef9fc1921dc64c13fd7a0295fa9e0596e1b01bed306e925eab2e1f', 'bb2a257975ef9fc1921dc64c13fd7a0295fa9e0596e1b01bed306e925eab2e1f', 'owner:words-f4b2f9f558d0a0b7-25', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', NULL, ''),
('owner', 'words-f4b2f9f558d0a0b7-5', 'terminal', 'owner', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A1, A2.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', '51f515daf6f4ff651fa46548b204756f63d7f97c4c835912867235e9dad0d96b', '51f515daf6f4ff651fa46548b204756f63d7f97c4c835912867235e9dad0d96b', 'owner:words-f4b2f9f558d0a0b7-5', 1, 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', NULL, '');
INSERT INTO "entry" ("conversation", "seq", "owner", "role", "origin", "text", "call", "trace", "at", "source") VALUES
('cb05c3a462172a00', 1, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', ''),
('cb05c3a462172a00', 2, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', ''),
('cb05c3a462172a00', 3, 'owner', 'outcome', 'assistant', 'parked #A11: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'e81b749f6ea2e39a', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', ''),
('cb05c3a462172a00', 4, 'owner', 'outcome', 'assistant', 'parked #A12: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'd01912e6fdb4d413', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', ''),
('cb05c3a462172a00', 5, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:06:00.000000', ''),
('cb05c3a462172a00', 6, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', ''),
('cb05c3a462172a00', 7, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', ''),
('cb05c3a462172a00', 8, 'owner', 'outcome', 'assistant', 'parked #A13: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'b0a32d30476573fa', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', ''),
('cb05c3a462172a00', 9, 'owner', 'outcome', 'assistant', 'parked #A14: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '0db6fcd38252b913', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', ''),
('cb05c3a462172a00', 10, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:07:00.000000', ''),
('cb05c3a462172a00', 11, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', ''),
('cb05c3a462172a00', 12, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', ''),
('cb05c3a462172a00', 13, 'owner', 'outcome', 'assistant', 'parked #A15: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '13b77ced9e83ccbc', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', ''),
('cb05c3a462172a00', 14, 'owner', 'outcome', 'assistant', 'parked #A16: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '8738abf621be8eff', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', ''),
('cb05c3a462172a00', 15, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:08:00.000000', ''),
('cb05c3a462172a00', 16, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', ''),
('cb05c3a462172a00', 17, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', ''),
('cb05c3a462172a00', 18, 'owner', 'outcome', 'assistant', 'parked #A17: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '4929055f3b1fe385', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', ''),
('cb05c3a462172a00', 19, 'owner', 'outcome', 'assistant', 'parked #A18: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'bd89114e3deb6a02', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', ''),
('cb05c3a462172a00', 20, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:09:00.000000', ''),
('cb05c3a462172a00', 21, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', ''),
('cb05c3a462172a00', 22, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', ''),
('cb05c3a462172a00', 23, 'owner', 'outcome', 'assistant', 'parked #A19: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'c46c70429cb8f2da', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', ''),
('cb05c3a462172a00', 24, 'owner', 'outcome', 'assistant', 'parked #A20: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '3ece615104d8dcbf', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', ''),
('cb05c3a462172a00', 25, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:10:00.000000', ''),
('f4b2f9f558d0a0b7', 1, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', ''),
('f4b2f9f558d0a0b7', 2, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', ''),
('f4b2f9f558d0a0b7', 3, 'owner', 'outcome', 'assistant', 'parked #A1: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '08b8910088d7746d', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', ''),
('f4b2f9f558d0a0b7', 4, 'owner', 'outcome', 'assistant', 'parked #A2: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '9a04ad5822f61d85', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', ''),
('f4b2f9f558d0a0b7', 5, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:01:00.000000', ''),
('f4b2f9f558d0a0b7', 6, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', ''),
('f4b2f9f558d0a0b7', 7, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', ''),
('f4b2f9f558d0a0b7', 8, 'owner', 'outcome', 'assistant', 'parked #A3: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '4cc4d7cf57ff8000', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', ''),
('f4b2f9f558d0a0b7', 9, 'owner', 'outcome', 'assistant', 'parked #A4: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '585c88885fb6a4e6', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', ''),
('f4b2f9f558d0a0b7', 10, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:02:00.000000', ''),
('f4b2f9f558d0a0b7', 11, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', ''),
('f4b2f9f558d0a0b7', 12, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', ''),
('f4b2f9f558d0a0b7', 13, 'owner', 'outcome', 'assistant', 'parked #A5: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'c23850b615feeab4', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', ''),
('f4b2f9f558d0a0b7', 14, 'owner', 'outcome', 'assistant', 'parked #A6: it waits for the owner''s approval and has NOT been done; its outcome will be told later', 'd9e9fc5ad1df7ad8', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', ''),
('f4b2f9f558d0a0b7', 15, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:03:00.000000', ''),
('f4b2f9f558d0a0b7', 16, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', ''),
('f4b2f9f558d0a0b7', 17, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', ''),
('f4b2f9f558d0a0b7', 18, 'owner', 'outcome', 'assistant', 'parked #A7: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '744bd2c52204b995', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', ''),
('f4b2f9f558d0a0b7', 19, 'owner', 'outcome', 'assistant', 'parked #A8: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '3d07a15efac0f205', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', ''),
('f4b2f9f558d0a0b7', 20, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:04:00.000000', ''),
('f4b2f9f558d0a0b7', 21, 'owner', 'owner', 'owner', 'book both', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', ''),
('f4b2f9f558d0a0b7', 22, 'owner', 'assistant', 'assistant', '', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', ''),
('f4b2f9f558d0a0b7', 23, 'owner', 'outcome', 'assistant', 'parked #A9: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '8375701dec50266c', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', ''),
('f4b2f9f558d0a0b7', 24, 'owner', 'outcome', 'assistant', 'parked #A10: it waits for the owner''s approval and has NOT been done; its outcome will be told later', '6ae4e4f925b17a26', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', ''),
('f4b2f9f558d0a0b7', 25, 'owner', 'assistant', 'assistant', 'They wait.', '', 'ffffffffffffffffffffffffffffffff', '2026-11-20 08:05:00.000000', '');
INSERT INTO "job" ("id", "owner", "trace", "kind", "queue", "due", "rung", "ring_after", "rings", "attempts", "claim", "worker", "beat", "again", "failed", "error", "waits_for", "waits_since") VALUES
('expire:08b8910088d7746d', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291260.0, 0.0, 1795291320.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:0db6fcd38252b913', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291620.0, 0.0, 1795291680.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:13b77ced9e83ccbc', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291680.0, 0.0, 1795291740.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:3d07a15efac0f205', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291440.0, 0.0, 1795291500.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:3ece615104d8dcbf', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291800.0, 0.0, 1795291860.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:4929055f3b1fe385', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291740.0, 0.0, 1795291800.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:4cc4d7cf57ff8000', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291320.0, 0.0, 1795291380.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:585c88885fb6a4e6', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291320.0, 0.0, 1795291380.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:6ae4e4f925b17a26', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291500.0, 0.0, 1795291560.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:744bd2c52204b995', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291440.0, 0.0, 1795291500.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:8375701dec50266c', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291500.0, 0.0, 1795291560.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:8738abf621be8eff', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291680.0, 0.0, 1795291740.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:9a04ad5822f61d85', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291260.0, 0.0, 1795291320.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:b0a32d30476573fa', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291620.0, 0.0, 1795291680.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:bd89114e3deb6a02', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291740.0, 0.0, 1795291800.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:c23850b615feeab4', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291380.0, 0.0, 1795291440.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:c46c70429cb8f2da', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291800.0, 0.0, 1795291860.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:d01912e6fdb4d413', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291560.0, 0.0, 1795291620.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:d9e9fc5ad1df7ad8', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291380.0, 0.0, 1795291440.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0),
('expire:e81b749f6ea2e39a', 'owner', 'ffffffffffffffffffffffffffffffff', 'expire', 'interactive', 1795291560.0, 0.0, 1795291620.0, 0, 0, NULL, '', 0, 0, 0, '', '', 0.0);
INSERT INTO "mode" ("owner", "mode", "before", "by", "reason", "revision", "since", "review", "word", "asked") VALUES
('other', 'normal', 'normal', 'setup', '', 0, '2026-11-20 08:00:00.000000', NULL, '', NULL),
('owner', 'normal', 'normal', 'setup', '', 0, '2026-11-20 08:00:00.000000', NULL, '', NULL);
INSERT INTO "owner" ("id", "name", "zone", "calls", "created", "grants", "chosen_zone", "acted") VALUES
('other', 'Other', 'Europe/Berlin', 0, '2026-11-20 08:00:00.000000', 0, '', NULL),
('owner', 'Owner', 'Europe/Berlin', 20, '2026-11-20 08:00:00.000000', 0, '', '2026-11-20 08:01:00.000000');
INSERT INTO "screen" ("number", "owner", "place", "key", "shown", "revision", "drawn", "at") VALUES
(1, 'owner', 'owner', 'owner:card-08b8910088d7746d', '{"kind":"card","title":"Create \u201cFirst, each/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"08b8910088d7746d","handle":"A1"},{"verb":"edit","label":"Edit","subject":"08b8910088d7746d","handle":"A1"},{"verb":"deny","label":"Deny","subject":"08b8910088d7746d","handle":"A1"},{"verb":"more","label":"More","subject":"08b8910088d7746d","handle":"A1"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A1 \u00b7 can be undone \u00b7 answer by Mon 09:01 \u00b7 asked with A2","tone":"waits"}', 1, 0, '2026-11-20 08:01:00.000000'),
(2, 'owner', 'owner', 'owner:card-9a04ad5822f61d85', '{"kind":"card","title":"Create \u201cSecond, each/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"9a04ad5822f61d85","handle":"A2"},{"verb":"edit","label":"Edit","subject":"9a04ad5822f61d85","handle":"A2"},{"verb":"deny","label":"Deny","subject":"9a04ad5822f61d85","handle":"A2"},{"verb":"more","label":"More","subject":"9a04ad5822f61d85","handle":"A2"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A2 \u00b7 can be undone \u00b7 answer by Mon 09:01 \u00b7 asked with A1","tone":"waits"}', 1, 0, '2026-11-20 08:01:00.000000'),
(3, 'owner', 'owner', 'owner:words-f4b2f9f558d0a0b7-5', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A1, A2.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 1, 0, '2026-11-20 08:01:00.000000'),
(4, 'owner', 'owner', 'owner:card-4cc4d7cf57ff8000', '{"kind":"card","title":"Create \u201cFirst, all/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"4cc4d7cf57ff8000","handle":"A3"},{"verb":"edit","label":"Edit","subject":"4cc4d7cf57ff8000","handle":"A3"},{"verb":"deny","label":"Deny","subject":"4cc4d7cf57ff8000","handle":"A3"},{"verb":"more","label":"More","subject":"4cc4d7cf57ff8000","handle":"A3"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A3 \u00b7 can be undone \u00b7 answer by Mon 09:02 \u00b7 asked with A4","tone":"waits"}', 1, 0, '2026-11-20 08:02:00.000000'),
(5, 'owner', 'owner', 'owner:card-585c88885fb6a4e6', '{"kind":"card","title":"Create \u201cSecond, all/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"585c88885fb6a4e6","handle":"A4"},{"verb":"edit","label":"Edit","subject":"585c88885fb6a4e6","handle":"A4"},{"verb":"deny","label":"Deny","subject":"585c88885fb6a4e6","handle":"A4"},{"verb":"more","label":"More","subject":"585c88885fb6a4e6","handle":"A4"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A4 \u00b7 can be undone \u00b7 answer by Mon 09:02 \u00b7 asked with A3","tone":"waits"}', 1, 0, '2026-11-20 08:02:00.000000'),
(6, 'owner', 'owner', 'owner:words-f4b2f9f558d0a0b7-10', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A3, A4.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 1, 0, '2026-11-20 08:02:00.000000'),
(7, 'owner', 'owner', 'owner:card-c23850b615feeab4', '{"kind":"card","title":"Create \u201cFirst, none/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"c23850b615feeab4","handle":"A5"},{"verb":"edit","label":"Edit","subject":"c23850b615feeab4","handle":"A5"},{"verb":"deny","label":"Deny","subject":"c23850b615feeab4","handle":"A5"},{"verb":"more","label":"More","subject":"c23850b615feeab4","handle":"A5"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A5 \u00b7 can be undone \u00b7 answer by Mon 09:03 \u00b7 asked with A6","tone":"waits"}', 1, 0, '2026-11-20 08:03:00.000000'),
(8, 'owner', 'owner', 'owner:card-d9e9fc5ad1df7ad8', '{"kind":"card","title":"Create \u201cSecond, none/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"d9e9fc5ad1df7ad8","handle":"A6"},{"verb":"edit","label":"Edit","subject":"d9e9fc5ad1df7ad8","handle":"A6"},{"verb":"deny","label":"Deny","subject":"d9e9fc5ad1df7ad8","handle":"A6"},{"verb":"more","label":"More","subject":"d9e9fc5ad1df7ad8","handle":"A6"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A6 \u00b7 can be undone \u00b7 answer by Mon 09:03 \u00b7 asked with A5","tone":"waits"}', 1, 0, '2026-11-20 08:03:00.000000'),
(9, 'owner', 'owner', 'owner:words-f4b2f9f558d0a0b7-15', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A5, A6.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 1, 0, '2026-11-20 08:03:00.000000'),
(10, 'owner', 'owner', 'owner:card-744bd2c52204b995', '{"kind":"card","title":"Create \u201cFirst, edited/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"744bd2c52204b995","handle":"A7"},{"verb":"edit","label":"Edit","subject":"744bd2c52204b995","handle":"A7"},{"verb":"deny","label":"Deny","subject":"744bd2c52204b995","handle":"A7"},{"verb":"more","label":"More","subject":"744bd2c52204b995","handle":"A7"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A7 \u00b7 can be undone \u00b7 answer by Mon 09:04 \u00b7 asked with A8","tone":"waits"}', 1, 0, '2026-11-20 08:04:00.000000'),
(11, 'owner', 'owner', 'owner:words-f4b2f9f558d0a0b7-20', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A7, A8.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 1, 0, '2026-11-20 08:04:00.000000'),
(12, 'owner', 'owner', 'owner:card-3d07a15efac0f205', '{"kind":"card","title":"Create \u201cSecond, edited/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"3d07a15efac0f205","handle":"A8"},{"verb":"edit","label":"Edit","subject":"3d07a15efac0f205","handle":"A8"},{"verb":"deny","label":"Deny","subject":"3d07a15efac0f205","handle":"A8"},{"verb":"more","label":"More","subject":"3d07a15efac0f205","handle":"A8"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A8 \u00b7 can be undone \u00b7 answer by Mon 09:04 \u00b7 asked with A7","tone":"waits"}', 1, 0, '2026-11-20 08:04:00.000000'),
(13, 'owner', 'owner', 'owner:card-8375701dec50266c', '{"kind":"card","title":"Create \u201cFirst, expires/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"8375701dec50266c","handle":"A9"},{"verb":"edit","label":"Edit","subject":"8375701dec50266c","handle":"A9"},{"verb":"deny","label":"Deny","subject":"8375701dec50266c","handle":"A9"},{"verb":"more","label":"More","subject":"8375701dec50266c","handle":"A9"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 10:00\u201310:30","was":"","name":""}],"small":"A9 \u00b7 can be undone \u00b7 answer by Mon 09:05 \u00b7 asked with A10","tone":"waits"}', 1, 0, '2026-11-20 08:05:00.000000'),
(14, 'owner', 'owner', 'owner:words-f4b2f9f558d0a0b7-25', '{"kind":"words","title":"","text":"They wait.","ledger":"Nothing was changed. Waits for you: A9, A10.","fields":[],"actions":[],"outside":false,"quiet":false,"warning":"","rows":[],"small":"","tone":null}', 1, 0, '2026-11-20 08:05:00.000000'),
(15, 'owner', 'owner', 'owner:card-6ae4e4f925b17a26', '{"kind":"card","title":"Create \u201cSecond, expires/terminal\u201d","text":"","ledger":"","fields":[],"actions":[{"verb":"approve","label":"Approve","subject":"6ae4e4f925b17a26","handle":"A10"},{"verb":"edit","label":"Edit","subject":"6ae4e4f925b17a26","handle":"A10"},{"verb":"deny","label":"Deny","subject":"6ae4e4f925b17a26","handle":"A10"},{"verb":"more","label":"More","subject":"6ae4e4f925b17a26","handle":"A10"}],"outside":false,"quiet":false,"warning":"","rows":[{"text":"Thu 10 Dec, 12:00\u201312:30","was":"","name":""}],"small":"A10 \u00b7 can be undone \u00b7 answer by Mon 09:05 \u00b7 asked with A9","tone":"waits"}', 1, 0, '2026-11-20 08:05:00.000000');
INSERT INTO "sighting" ("owner", "channel", "event", "at") VALUES
('owner', 'discord', 'event-10', '2026-11-20 08:10:00.000000'),
('owner', 'discord', 'event-6', '2026-11-20 08:06:00.000000'),
('owner', 'discord', 'event-7', '2026-11-20 08:07:00.000000'),
('owner', 'discord', 'event-8', '2026-11-20 08:08:00.000000'),
('owner', 'discord', 'event-9', '2026-11-20 08:09:00.000000'),
('owner', 'terminal', 'event-1', '2026-11-20 08:01:00.000000'),
('owner', 'terminal', 'event-2', '2026-11-20 08:02:00.000000'),
('owner', 'terminal', 'event-3', '2026-11-20 08:03:00.000000'),
('owner', 'terminal', 'event-4', '2026-11-20 08:04:00.000000'),
('owner', 'terminal', 'event-5', '2026-11-20 08:05:00.000000');
INSERT INTO "token" ("hash", "owner", "verb", "subject", "card", "delivery", "terms", "actor", "expires", "used", "by", "created", "trace") VALUES
('0b948fa6591733337b734d4672d111c5a3df988f9a88aad92a9a73380a32e01d', 'owner', 'reveal', 'words-cb05c3a462172a00-15', 'af8875cab7b5dccb23e0ba04a2d8e1ffda79a193d668f17f63bd09a916fed071', 'words-cb05c3a462172a00-15', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('0d5cb4c5ef3baea830781e077588167904fa1b18483ee7d63a51d9fb0dfca1bb', 'owner', 'more', '3ece615104d8dcbf', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'card-3ece615104d8dcbf', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('0e458c36b60e82c56ac7a6499cf06e4e88330250415dd25ff061385d8dccac08', 'owner', 'deny', '13b77ced9e83ccbc', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'card-13b77ced9e83ccbc', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('12349c9890654399f7b5bcf3a3dfe0d7930aef99a8a215a88c8d173a11a6b3a2', 'owner', 'deny and say why', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('1c63fa99e17148fbee4139b851e3eb9ac888ec9063d7fae4eaa25b7694801c24', 'owner', 'snooze', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{"when":"tomorrow 9:00"}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('1cedf85cda200a6854adad18ea2278befa31ab2eaa0f0fb774da02cba8c9a933', 'owner', 'edit', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'card-b0a32d30476573fa', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('226752709484f3c9f993a20394a54dab628b6d75f302b40ddf7609eb30a313ae', 'owner', 'reveal', 'words-cb05c3a462172a00-25', 'e2f516da28376361569673882329458f530a8653e22a654523f5fd91f086d032', 'words-cb05c3a462172a00-25', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('2cc9159d270924eaebadeae694444c08834742b24a8a1c4d541cd79f420a1638', 'owner', 'deny', '4929055f3b1fe385', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'card-4929055f3b1fe385', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('31991b58fd77a0e61fcc5c1117b2d6e954a4da1c8c96a5f492b77ae1a858cdd1', 'owner', 'reveal', 'card-e81b749f6ea2e39a', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'card-e81b749f6ea2e39a', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('3bbfef059f0c6890ee445e9f2bca4c3296ade09f8a8214d00bdfbb76be70395f', 'owner', 'approve', 'bd89114e3deb6a02', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'card-bd89114e3deb6a02', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('3be81f5d13fedc8027ad304e709ac9bf1dd94badf6f7da8604b6fdfad3ba48f5', 'owner', 'more', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'card-b0a32d30476573fa', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('43f73c00d2f11ed70c0d8f0b2d9e1f5cabd6e1c3ccd4bb44f125f2a3108bb33a', 'owner', 'more', '0db6fcd38252b913', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'card-0db6fcd38252b913', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('4abde48104bf2eb71861faacfeeb4142290f837f2a5ef6d2892e4fa5a6466075', 'owner', 'why', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('4af5e7bcf647153611372e1edb852ab54223f462004c21007d74c865ebfb4761', 'owner', 'approve', '3ece615104d8dcbf', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'card-3ece615104d8dcbf', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('4ca66c341da880c9e1d243fdd67d048f7da1052cb0b689cab05043c617c1b642', 'owner', 'approve', '4929055f3b1fe385', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'card-4929055f3b1fe385', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('4f301b4ed7c8bcb2aec20bd3cec88c83f298af056425fc71f446f23d55bbfa85', 'owner', 'more', '13b77ced9e83ccbc', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'card-13b77ced9e83ccbc', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('4f9019807cf9a9d99d43d4e056c4a87e9f8e7018a1bd6ee90e4d57d9988e09df', 'owner', 'reveal', 'card-8738abf621be8eff', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'card-8738abf621be8eff', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('4fb692ac2c3b583760cebae3785ed464ab4b71df4b999c7cb3a4b6654db08986', 'owner', 'reveal', 'words-cb05c3a462172a00-10', '146d99e8c70379a39a37bfcf0ed4d60bf6da2486e911c657d10b9a5170136c8a', 'words-cb05c3a462172a00-10', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('527775cc2a23ea3da6b361d4264f39f5c7992a1e8f1f8bd9dd3a49cbfcbbed6d', 'owner', 'details', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('610d36cf37e8a33ed683608a3277e18a3ad14f484346a84e4c6850c365354914', 'owner', 'deny', 'c46c70429cb8f2da', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'card-c46c70429cb8f2da', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('69c420bc5135a275aa55a5a2e84651b33c45800e11f80c7e80d4565bd32ab4d9', 'owner', 'edit', '4929055f3b1fe385', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'card-4929055f3b1fe385', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('6c0caf3aea732d29d31348cd3833229b1ed60c05c603a0bbc440c65fbf7130e5', 'owner', 'deny', '8738abf621be8eff', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'card-8738abf621be8eff', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('6d1ace467ed8253b5f9fad164401aa664418d989e468fc52ce5a9aed13f92b8f', 'owner', 'approve', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'card-b0a32d30476573fa', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('6ed21d0d2e215b227382a40d5057c53203acd45f950a4d486619e4b47a15640b', 'owner', 'snooze', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{"when":"in an hour"}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('6fdbadce9d0104726b4647eacdf92cc86a4a579b312ad120366924a9525333d2', 'owner', 'approve', 'd01912e6fdb4d413', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'card-d01912e6fdb4d413', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('7005f278d96746683a7973ede750bcac4c67a66ccfac5ec4bd14307e42c59fc2', 'owner', 'reveal', 'card-0db6fcd38252b913', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'card-0db6fcd38252b913', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('70b4ffe7abeead3aeb4441ceb1ac3a8a5c71b77de73d837204a5a49647411042', 'owner', 'edit', '8738abf621be8eff', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'card-8738abf621be8eff', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('73f70b6ca597a9aa9dfbb493d791f2abe0b2be8fd27136d1e848649925431b58', 'owner', 'approve', '8738abf621be8eff', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'card-8738abf621be8eff', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('789da987e385fdc5edf583e77374b6c50e4b36cf36d333fb88444d28f0741e9d', 'owner', 'approve', '0db6fcd38252b913', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'card-0db6fcd38252b913', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('7b4a62fa01e4ee25ef43f41ba04e6d36f1dc2e3f68d55f39a8c18b13b34ea9aa', 'owner', 'more', '8738abf621be8eff', '57215da157406c1e9ee09d12dd4e9c3d19150520219c7b69a6cfbf96b0872166', 'card-8738abf621be8eff', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('8ef72b6055303f0712a1532625dfe0c67fdedc7faba96714767d79da311a93fb', 'owner', 'reveal', 'card-c46c70429cb8f2da', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'card-c46c70429cb8f2da', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('91e93c521a6082692867263fe38ca6369ca16ce1e753c6a24356d30d2536de30', 'owner', 'deny', 'd01912e6fdb4d413', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'card-d01912e6fdb4d413', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('959f70c15cfbcae9b6d378d59310335e0e5c7c005e1506b640e0ec661af84608', 'owner', 'more', 'd01912e6fdb4d413', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'card-d01912e6fdb4d413', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('962bd6de6f740710f2747b4ad4b2f846dd18c14fccb44c83bca7c68b60357a21', 'owner', 'deny', '3ece615104d8dcbf', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'card-3ece615104d8dcbf', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('9676445456200258044a5b7c047ff0c57115789edae42da57e5324136942d2b5', 'owner', 'edit', '0db6fcd38252b913', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'card-0db6fcd38252b913', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('996a4363df32cbeb49c7f1dfd2a80087d8f08feb557f75877ffc01f6a908b38a', 'owner', 'approve', 'e81b749f6ea2e39a', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'card-e81b749f6ea2e39a', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('a15dd0af284f74f777c05afa5fd44e84f14f51b0f588a4711cd715a197f22308', 'owner', 'deny', 'e81b749f6ea2e39a', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'card-e81b749f6ea2e39a', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('a328140e234d91715f2bb0468d365f59ec1a65042a3a462f38eb3636f7b6b71d', 'owner', 'snooze', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{"when":"this evening"}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('ab0d1008108ff5101a8d883a1dec9de680666f3758e544c4fa9b2a84e51232e2', 'owner', 'more', 'e81b749f6ea2e39a', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'card-e81b749f6ea2e39a', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('adc7f9be7fa168fff87fa360bd3eefbee4d103d6eb39d25467efbab38818445f', 'owner', 'reveal', 'card-3ece615104d8dcbf', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'card-3ece615104d8dcbf', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('ae30e64b8d1f15f036c6e6e89099c140556ea50d4f1798e917f3670ab46911cf', 'owner', 'plan', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{"b0a32d30476573fa":"f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e","0db6fcd38252b913":"17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5"}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('af4b6e6543bba7e814ff1800c68fd38bc84de9644539a24b07a0d6ac8bf8ecca', 'owner', 'approve', 'c46c70429cb8f2da', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'card-c46c70429cb8f2da', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('b03a6e664ce7962ec58511c83fb2f1c543d392b811001b09b27f4eab05ec2135', 'owner', 'edit', '3ece615104d8dcbf', '864edcaab93877109bb27a334d14ccf8a6b89c2e1a5522eb7aab048f7dc37627', 'card-3ece615104d8dcbf', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('b09dda22233634d0f1f6956c6eaba7ebe41110c676dbaac7eb9eb8051520b9b2', 'owner', 'more', 'bd89114e3deb6a02', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'card-bd89114e3deb6a02', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('b34f54fbba078f6f50a63e2d40df7f1fc285452cd222e91a73c36e74b97c03be', 'owner', 'reveal', 'card-d01912e6fdb4d413', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'card-d01912e6fdb4d413', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('b3d32e88bd189e08d0026007387a888b9fba8fc4ab5963caa2ce996d40b60dd3', 'owner', 'reveal', 'words-cb05c3a462172a00-5', '7424eff7d5892dab45aadfee2e9a30a5de85b4ec8d72aa6f78add3ce7c94cf26', 'words-cb05c3a462172a00-5', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('b787babdf71058143b205f0eb37251e701df2e9fc95014112937338557dc84d5', 'owner', 'edit', 'c46c70429cb8f2da', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'card-c46c70429cb8f2da', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('ba7d137b52377d5f77f2b59447698451de14944f9e1fbcd85fcce7691edd62e5', 'owner', 'reveal', 'card-4929055f3b1fe385', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'card-4929055f3b1fe385', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('be96983f7d3c1121ca8e384cf6be19f7cf04cfb08d4ae9f48a185f7144ac7ba3', 'owner', 'edit', 'bd89114e3deb6a02', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'card-bd89114e3deb6a02', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('c283840856c7c29e672a95321b5c82a74569b0e5ac61c1a7e3e9b13b83769873', 'owner', 'reveal', 'card-bd89114e3deb6a02', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'card-bd89114e3deb6a02', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('c42c23c9e0a44c5aba8f823d8a90bf158ec0c73b1605c0d65966049c53e08169', 'owner', 'reveal', 'words-cb05c3a462172a00-20', '15e250096980efa2bf0bdeaf6a7d622ad332464bae9d0fc9d0d9e02994ebe781', 'words-cb05c3a462172a00-20', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('c6bf498935e074ee388b9534553ff853b12db61511a9e641af76d305c70e829b', 'owner', 'reveal', 'card-b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'card-b0a32d30476573fa', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('caae9572f596f0c997ab3378185f6b7ae50aeff057d14b4046317aba628d832f', 'owner', 'similar', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', '', '{"scope":"94fc8337063c1d831a1e2a2303fd554eb8b49907a6f12582807c03c0d8284af8"}', 'discord:42', '2026-11-20 08:25:00.000000', NULL, '', '2026-11-20 08:10:00.000000', '236a2cd1e85aa662c86be6fd72090e1c'),
('d151c7a6ad69ba550a4eccdd26f054253af7cc45c5a0105d821a0565ed22306d', 'owner', 'edit', 'e81b749f6ea2e39a', 'c5f36d123539665320b9338c6c66b54edcd741327486506e8c5ca6937eda96ab', 'card-e81b749f6ea2e39a', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('d7c57ddca46c116e82b31d3ed0d445e6351eac54a85ed7b236c345c9344676ed', 'owner', 'edit', 'd01912e6fdb4d413', '068b9bfc6cb6e9030509357aaa3b56a2a1c6af4fd3783597eed56b29e4f77d53', 'card-d01912e6fdb4d413', '{}', '', '2027-02-18 08:06:00.000000', NULL, '', '2026-11-20 08:06:00.000000', 'ffffffffffffffffffffffffffffffff'),
('d81eca7e34f3bbaa57a4eb77214f7715342c0ccd655ff4d72b88744a344a2245', 'owner', 'deny', 'b0a32d30476573fa', 'f54b89798858607e946a6620140c789558d34465a2e3a4a219c66dc9553ecc3e', 'card-b0a32d30476573fa', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('e472f66b8f789831cddf475a62c6405ec8ea1050db138508fbb5dc69def5e013', 'owner', 'more', 'c46c70429cb8f2da', 'a3e5479043f9cb4010f5c524959d6420b397b6d637ddede6a9ed68528beb42f3', 'card-c46c70429cb8f2da', '{}', '', '2027-02-18 08:10:00.000000', NULL, '', '2026-11-20 08:10:00.000000', 'ffffffffffffffffffffffffffffffff'),
('e4a817673e8fbd2ad998bb34c655a6efe28b0fcb1c9a0ac2926d76ce8dde7727', 'owner', 'deny', 'bd89114e3deb6a02', '96b03dd685abbdfe4d141f4b5f051b825515019f1057e7a62b57503df9cb62c5', 'card-bd89114e3deb6a02', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('e4bce5eec5cfe48c4d30c54572dc6093df2887f8393b138759fff0905ad3c154', 'owner', 'deny', '0db6fcd38252b913', '17aa6da6c60ec28439e61cfa577b9b834dc446bcc9abec595706367284a244e5', 'card-0db6fcd38252b913', '{}', '', '2027-02-18 08:07:00.000000', NULL, '', '2026-11-20 08:07:00.000000', 'ffffffffffffffffffffffffffffffff'),
('eeeecf35239079c1b7e595b45b205d4d6f6594f6c21dc17485be75a26460bdfe', 'owner', 'reveal', 'card-13b77ced9e83ccbc', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'card-13b77ced9e83ccbc', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('f0500c1df0566837bff8d9356cbfb1e4658a3b626f079bb9fa9553c6c31c9b04', 'owner', 'edit', '13b77ced9e83ccbc', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'card-13b77ced9e83ccbc', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff'),
('f3e3018e317f90416f505292b5a53880188284344391c595fa38b9ce31e94e6a', 'owner', 'more', '4929055f3b1fe385', 'c52107e34b1795097cb85202f5b12b2d85daef20b9efbeca6c6403f2d72fc402', 'card-4929055f3b1fe385', '{}', '', '2027-02-18 08:09:00.000000', NULL, '', '2026-11-20 08:09:00.000000', 'ffffffffffffffffffffffffffffffff'),
('fcf384137849029c304fde170c45f301fa511bc86f19fdd6ae4825da55dfaf48', 'owner', 'approve', '13b77ced9e83ccbc', '723a27034a1904be3b305fc51b62b4661b90e7cbfdb632976e3f2402ad1af49f', 'card-13b77ced9e83ccbc', '{}', '', '2027-02-18 08:08:00.000000', NULL, '', '2026-11-20 08:08:00.000000', 'ffffffffffffffffffffffffffffffff');
COMMIT;
