"""OpenStack Swift with its S3 interface, all four servers in one process, on loopback.

Run by the Python of the S3 server's own environment, as
``swift_one.py ROOT ACCESS_KEY SECRET_KEY REGION PORT``. An access key is ``account:user``; port 0
picks a free one. Prints its endpoint when it answers, and ends when its standard input does, so
that it never outlives whoever started it. Data in ROOT are kept from one run to the next.
"""

import sys
from pathlib import Path

import eventlet  # type: ignore[import-not-found]  # lives in the S3 server's environment

eventlet.monkey_patch(all=False, socket=True, select=True, thread=True, time=True)

import xattr  # type: ignore[import-not-found]  # noqa: E402  # as above; after the patch
from eventlet import hubs, wsgi  # noqa: E402
from swift.common import (  # type: ignore[import-not-found]  # noqa: E402
    ring,
    storage_policy,
    utils,
)
from swift.common import wsgi as swift_wsgi  # noqa: E402

BACKENDS = ("account", "container", "object")
FILTERS = (
    "catch_errors",
    "gatekeeper",
    "listing_formats",
    "bulk",
    "s3api",
    "tempauth",
    "copy",
    "slo",
    "dlo",
    "versioned_writes",
    "symlink",
)


def main(root: Path, access_key: str, secret_key: str, region: str, port: int) -> None:
    etc = root / "etc"
    (root / "devices" / "d1").mkdir(parents=True, exist_ok=True)
    etc.mkdir(exist_ok=True)
    _need_xattrs(root)
    (etc / "swift.conf").write_text("[swift-hash]\nswift_hash_path_suffix = test\n")
    utils.set_swift_dir(str(etc))
    storage_policy.reload_storage_policies()
    utils.get_logger({"log_address": str(etc / "no-syslog")}, log_to_console=True)

    sockets = {server: eventlet.listen(("127.0.0.1", 0)) for server in BACKENDS}
    proxy = sockets["proxy"] = eventlet.listen(("127.0.0.1", port))
    for server in BACKENDS:
        backend_port = sockets[server].getsockname()[1]
        _write_ring(etc / f"{server}.ring.gz", backend_port)
        _write_backend(etc / f"{server}.conf", root=root, server=server)
    _write_proxy(
        etc / "proxy.conf",
        root=root,
        access_key=access_key,
        secret_key=secret_key,
        region=region,
    )
    for server, socket in sockets.items():
        _serve(socket, etc / f"{server}.conf", server)
    print(f"http://127.0.0.1:{proxy.getsockname()[1]}", flush=True)
    hubs.trampoline(sys.stdin, read=True)


def _need_xattrs(root: Path) -> None:
    try:
        xattr.setxattr(str(root), "user.swift.probe", b"1")
    except OSError as error:
        sys.exit(f"Swift keeps its data in user xattrs, and {root} has none: {error}")


def _write_ring(path: Path, port: int) -> None:
    """One copy on one device: the ring knows where the server listens this time."""
    builder = ring.RingBuilder(part_power=4, replicas=1, min_part_hours=0)
    builder.add_dev(
        {
            "id": 0,
            "region": 1,
            "zone": 1,
            "ip": "127.0.0.1",
            "port": port,
            "replication_ip": "127.0.0.1",
            "replication_port": port,
            "device": "d1",
            "weight": 1.0,
            "meta": "",
        }
    )
    builder.rebalance()
    builder.get_ring().save(str(path))


def _default(root: Path) -> str:
    return f"""\
[DEFAULT]
swift_dir = {root}/etc
devices = {root}/devices
recon_cache_path = {root}
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
bind_ip = 127.0.0.1
log_level = WARNING
log_address = {root}/etc/no-syslog
"""


def _write_backend(path: Path, *, root: Path, server: str) -> None:
    path.write_text(f"""\
{_default(root)}
[pipeline:main]
pipeline = {server}-server
[app:{server}-server]
use = egg:swift#{server}
""")


def _write_proxy(path: Path, *, root: Path, access_key: str, secret_key: str, region: str) -> None:
    account, user = access_key.split(":")
    options = {
        "s3api": f"location = {region}\ncheck_bucket_owner = false\n",
        "tempauth": f"user_{account}_{user} = {secret_key} .admin\n",
        "versioned_writes": "allow_versioned_writes = true\nallow_object_versioning = true\n",
    }
    filters = "".join(
        f"[filter:{name}]\nuse = egg:swift#{name}\n{options.get(name, '')}" for name in FILTERS
    )
    path.write_text(f"""\
{_default(root)}
[pipeline:main]
pipeline = {" ".join(FILTERS)} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
{filters}""")


def _serve(socket: object, conf: Path, server: str) -> None:
    eventlet.spawn(
        wsgi.server,
        socket,
        swift_wsgi.loadapp(str(conf), global_conf={"log_name": server}),
        protocol=swift_wsgi.SwiftHttpProtocol,
        capitalize_response_headers=False,
        log_output=False,
    )


if __name__ == "__main__":
    where, key, secret, place, port_wanted = sys.argv[1:]
    main(Path(where).resolve(), key, secret, place, int(port_wanted))
