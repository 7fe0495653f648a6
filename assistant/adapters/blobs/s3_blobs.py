"""Store blobs in a bucket of Amazon S3, or of another server with its protocol."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from http import HTTPStatus
from secrets import token_hex
from threading import Lock
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,  # noqa: A004  # botocore's own, which is no OSError
    HTTPClientError,
    IncompleteReadError,
    ResponseStreamingError,
)

from assistant.domain.errors import BLOBS, AssistantError, Misconfigured, NotFound, Outage
from assistant.domain.files.blob_names import check_name

if TYPE_CHECKING:
    from mypy_boto3_s3.client import S3Client

_CONNECT_SECONDS = 3.0
_ATTEMPTS = 2
_KEPT_ALREADY = "PreconditionFailed"
_NETWORK = (ConnectionError, HTTPClientError, IncompleteReadError, ResponseStreamingError)
_UNWELL = frozenset({"RequestTimeout", "ConditionalRequestConflict"})
"""Codes of 4xx answers that permit another attempt."""


class S3Blobs:
    """The ``Blobs`` of one bucket, which must exist.

    The first bytes of a name stay (``If-None-Match: *``). A few servers ignore that condition, and
    a second put overwrites: so every put of a name must have equal bytes.

    The key needs ``s3:PutObject``, ``s3:GetObject``, ``s3:DeleteObject`` on the objects and
    ``s3:ListBucket`` on the bucket: without the last, Amazon answers 403 for a missing blob.

    Args:
        bucket: the bucket's name.
        endpoint: ``https://host[:port]`` of another server, which finds the bucket in the path;
            empty for Amazon.
        region: such as ``eu-central-1``; other servers have one too, often ``us-east-1``.
        access_key: the key's name; must not be empty, as boto3 would look for another key.
        secret_key: the key's secret.
        read_seconds: how long to wait for an answer, in each of two attempts.
        page: how many names to list in one request, 1 to 1000.
    """

    def __init__(
        self,
        *,
        bucket: str,
        endpoint: str,
        region: str,
        access_key: str,
        secret_key: str,
        read_seconds: float = 20.0,
        page: int = 1000,
    ) -> None:
        if not (bucket and region and access_key and secret_key):
            raise Misconfigured("S3 needs a bucket, a region, an access key and its secret")
        self._bucket = bucket
        self._endpoint = endpoint
        self._region = region
        self._access_key = access_key
        self._secret_key = secret_key
        self._read_seconds = read_seconds
        self._page = page
        self._away = False
        self._probe = Lock()
        """Held by the one request that waits for a server that did not answer the last one."""

    def put(self, name: str, data: bytes) -> None:
        check_name(name)
        with self._translated(f"{name} was not stored"):
            try:
                self._client.put_object(Bucket=self._bucket, Key=name, Body=data, IfNoneMatch="*")
            except ClientError as error:
                if _code(error) != _KEPT_ALREADY:
                    raise

    def get(self, name: str) -> bytes:
        check_name(name)
        with self._translated(f"{name} was not read"):
            try:
                return self._client.get_object(Bucket=self._bucket, Key=name)["Body"].read()
            except ClientError as error:
                if _code(error) == "NoSuchKey":
                    raise NotFound(f"the blob {name}") from None
                raise

    def delete(self, name: str) -> None:
        check_name(name)
        with self._translated(f"{name} was not deleted"):
            try:
                self._client.delete_object(Bucket=self._bucket, Key=name)
            except ClientError as error:
                if _code(error) != "NoSuchKey":
                    raise

    def names(self, prefix: str = "") -> Iterable[str]:
        with self._translated("the names were not listed"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix, PaginationConfig={"PageSize": self._page}
            )
            for page in pages:
                for item in page.get("Contents", ()):
                    yield item["Key"]

    def check(self) -> None:
        """Write, list, read and delete a test blob: only that shows what the key may do."""
        probe, data = f"check/{token_hex(8)}", b"readable"
        self.put(probe, data)
        if list(self.names(probe)) != [probe] or self.get(probe) != data:
            raise Misconfigured(f"{self._place} does not give back what it was given")
        self.delete(probe)

    @cached_property
    def _client(self) -> "S3Client":
        config = Config(
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=self._read_seconds,
            retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
            s3={"addressing_style": "path" if self._endpoint else "auto"},
            # Other servers may store the framing of the newer checksums as data.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            ignore_configured_endpoint_urls=True,  # type: ignore[call-arg]  # not in the stubs
        )
        # Its own session, as boto3's shared one cannot make clients in two threads at one time.
        client: S3Client = boto3.session.Session().client(
            "s3",
            endpoint_url=self._endpoint or None,
            region_name=self._region,
            aws_access_key_id=self._access_key,
            aws_secret_access_key=self._secret_key,
            config=config,
        )
        return client

    @property
    def _place(self) -> str:
        return f"the bucket {self._bucket} at {self._endpoint or 'Amazon S3'}"

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        """Translate errors. While the server does not answer, one request at a time waits for it.

        The others fail at once, so that an outage does not take up every thread.
        """
        probing, away = self._away, False
        if probing and not self._probe.acquire(blocking=False):
            raise Outage(f"{what} in {self._place}: another request waits for it", part=BLOBS)
        try:
            yield
        except ClientError as error:
            raise self._refused(what, error) from error
        except _NETWORK as error:
            away = True
            raise Outage(f"{what} in {self._place}: {error}", part=BLOBS) from error
        except (BotoCoreError, ValueError) as error:
            raise Misconfigured(f"{what} in {self._place}: {error}") from error
        finally:
            self._away = away
            if probing:
                self._probe.release()

    def _refused(self, what: str, error: ClientError) -> AssistantError:
        """Translate an answer other than success; the server's words are at the end."""
        code, status = _code(error), error.response["ResponseMetadata"]["HTTPStatusCode"]
        told = f"{what} in {self._place}"
        said = f"HTTP {status}, {code}: {error.response['Error'].get('Message', '')}"
        if code == "NoSuchBucket":
            return Misconfigured(f"{told}: there is no such bucket; create it, or name another")
        if code in _UNWELL or _worth_another_try(status):
            return Outage(f"{told}: {said}", part=BLOBS)
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return Misconfigured(
                f"{told}: check the access key, its secret, what it may do, and the clock ({said})"
            )
        return Misconfigured(f"{told}: {said}")


def _worth_another_try(status: int) -> bool:
    if status == HTTPStatus.NOT_IMPLEMENTED:
        return False
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _code(error: ClientError) -> str:
    return error.response["Error"].get("Code", "")
