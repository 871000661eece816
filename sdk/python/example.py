"""Lists three athletes: API_KEY=... python example.py http://localhost:4000"""

import os
import sys

from talent_platform.api.athletes import list_athletes
from talent_platform.client import AuthenticatedClient
from talent_platform.models.list_athletes_response import ListAthletesResponse


def main(base_url: str) -> None:
    client = AuthenticatedClient(base_url=f"{base_url}/api/v1", token=os.environ["API_KEY"])
    response = list_athletes.sync(client=client, limit=3)
    if response is None:
        raise SystemExit("The response is of a status that the document does not have.")
    if not isinstance(response, ListAthletesResponse):
        raise SystemExit(f"{response.status} {response.code}: {response.detail}")
    for athlete in response.data:
        print(athlete.id, athlete.display_name)


if __name__ == "__main__":
    main(sys.argv[1])
