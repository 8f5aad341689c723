"""Verifies the webhooks of a platform, with the standard library of Python alone."""

import base64, hmac, json


def event_of(headers, body, secrets, platform_id, now):
    """Returns the event of a delivery; raises ValueError or KeyError for everything else.

    headers   by their names in lower case
    body      the bytes as they arrived
    secrets   of the platform's keys: `whsec_...`
    now       Unix seconds
    """
    event_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(now - int(timestamp)) > 300:
        raise ValueError("the delivery is old, or the clock is wrong")
    signed, given = f"{event_id}.{timestamp}.".encode() + body, headers["webhook-signature"].encode().split(b" ")
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    own = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    if not any(hmac.compare_digest(mac, each) for mac in own for each in given):
        raise ValueError("the signature is not valid")
    event = json.loads(body)
    if event["platformId"] != platform_id:
        raise ValueError("the event belongs to another platform")
    return event


def answer_to(event):
    """Returns the JSON of the answer: a new endpoint in live mode is asked for its challenge."""
    is_challenge = event["type"] == "WEBHOOK_ENDPOINT.VERIFICATION"
    return {"challenge": event["data"]["challenge"]} if is_challenge else {}
