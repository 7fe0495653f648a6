#!/usr/bin/env python3
"""Make the bucket that ASSISTANT_BLOBS names, unless it is there."""

import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from workers.settings import Settings, load


def main() -> int:
    settings = load()
    bucket = settings.blobs.removeprefix("s3://")
    if bucket == settings.blobs:
        print("ASSISTANT_BLOBS names no bucket", file=sys.stderr)  # noqa: T201 a command's answer
        return 3
    print(f"the bucket {bucket} {make_bucket(settings, bucket)}")  # noqa: T201 a command's answer
    return 0


def make_bucket(settings: Settings, bucket: str) -> str:
    """Make the bucket, and return what was done.

    Raises:
        ClientError: the key may not make it, or the bucket is somebody else's.
    """
    client = boto3.session.Session().client(
        "s3",
        endpoint_url=settings.s3_endpoint or None,
        region_name=settings.s3_region,
        aws_access_key_id=settings.s3_access_key,
        aws_secret_access_key=settings.s3_secret_key.get_secret_value(),
        config=Config(s3={"addressing_style": "path" if settings.s3_endpoint else "auto"}),
    )
    try:
        client.head_bucket(Bucket=bucket)
    except ClientError as error:
        if error.response["Error"]["Code"] != "404":
            raise
    else:
        return "is there"
    client.create_bucket(Bucket=bucket)
    return "was made"


if __name__ == "__main__":
    sys.exit(main())
