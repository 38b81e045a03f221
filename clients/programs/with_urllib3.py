import os
import sys
from concurrent.futures import ThreadPoolExecutor

import urllib3

requests = int(os.environ["AT_ONCE"])
retries = urllib3.Retry(total=5, backoff_factor=0.5, status_forcelist=[429, 500, 502, 503, 504])
http = urllib3.PoolManager(maxsize=requests, retries=retries, headers={"X-API-Key": os.environ["API_KEY"]})


def call(_):
    try:
        served = http.request("GET", os.environ["API_URL"] + "/models").status == 200
    except urllib3.exceptions.HTTPError as error:
        served = False
        print(error, file=sys.stderr)
    print("served" if served else "failed", flush=True)


with ThreadPoolExecutor(requests) as pool:
    list(pool.map(call, range(requests)))
