"""Run statements on SQLite and Postgres: the one way, which is also the fast one.

Call ``run(statement, values)``. It returns an ``SqlResult``: the rows, and how many it changed.

- ``LazyTransaction.run`` runs it in a transaction. The transaction begins with its first statement
  and commits when its block is left.
- ``Autocommit.run`` runs it in a transaction of its own, ``Autocommit.read`` one that only reads.

Wrap a statement that a module holds in ``Prepared``. SQLAlchemy compiles it once, and it runs on
the driver, which takes half as much CPU. SQLAlchemy compiles and runs any other statement.

What else makes this fast stays in here: threads that write to SQLite at once share a commit
(``group_commit``) and wait for other processes in short steps (``busy_retry``), and each process
keeps a few connections to Postgres at hand. ``translated`` turns a database's errors into ours.
"""

from assistant.adapters.sql.driver.autocommit import Autocommit
from assistant.adapters.sql.driver.engines import Engines, make_engines
from assistant.adapters.sql.driver.errors import translated
from assistant.adapters.sql.driver.lazy_transaction import LazyTransaction
from assistant.adapters.sql.driver.prepared import Prepared, SqlResult, Statement, Values

__all__ = [
    "Autocommit",
    "Engines",
    "LazyTransaction",
    "Prepared",
    "SqlResult",
    "Statement",
    "Values",
    "make_engines",
    "translated",
]
