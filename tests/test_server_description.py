"""The description of the API is true: requests made from it are answered as it says."""

from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from kwartet.server.api import OPERATIONS
from tests.serving import Server

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
    allow_header_conformance,
]
EXAMPLES = 6  # of each operation, good ones and bad ones each
PATHS = sorted({operation.path for operation in OPERATIONS})


@pytest.fixture(scope="module")
def described(server: Server) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")


@pytest.mark.parametrize("path", PATHS)
def test_requests_made_from_the_description_are_answered_as_it_says(
    server: Server, described: Any, path: str
) -> None:
    cookies = httpx.get(f"{server.url}/api/me").cookies
    headers = {"cookie": f"kwartet={cookies['kwartet']}"}
    for method in described[path]:
        for mode in GenerationMode:
            cases = described[path][method].as_strategy(generation_mode=mode)

            @seed(1)
            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=cases)
            def agrees(case: Any) -> None:
                case.call_and_validate(checks=CHECKS, headers=headers)

            # What takes nothing, or any text, can be asked for in no wrong way.
            with suppress(*[Unsatisfiable] * (mode is GenerationMode.NEGATIVE)):
                agrees()


def test_every_path_tells_its_methods_to_who_uses_another(server: Server) -> None:
    methods = {"GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "TRACE"}
    with httpx.Client(base_url=server.url, timeout=60) as http:
        for path in PATHS:
            known = {operation.method for operation in OPERATIONS if operation.path == path}
            for method in methods - known:
                answer = http.request(method, path.replace("{", "").replace("}", ""))
                assert answer.status_code == 405, (method, path)
                allowed = set(answer.headers["allow"].split(", "))
                assert allowed - {"HEAD"} == known, (method, path)
                assert answer.json()["code"] == "bad-method"
        nowhere = http.get("/api/nowhere")
        assert (nowhere.status_code, nowhere.json()["code"]) == (404, "unknown-page")


def test_a_whole_number_may_be_written_with_a_point(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as http:
        clock = {"kind": "move", "seconds": 86400.0}
        table = http.post("/api/tables", json={"game": "connect_four", "clock": clock})
        assert table.json()["clock"]["seconds"] == 86400
        half = clock | {"seconds": 86400.5}
        refused = http.post("/api/tables", json={"game": "connect_four", "clock": half})
        assert refused.json()["code"] == "bad-request"
        for number in ("nan", "inf", "1_0", "soon", "", "٣"):
            answer = http.get("/api/tables", params={"before": number})
            assert answer.json()["code"] == "bad-request"
        for number in ("1", "-1.5", "1e9", "+.5"):
            assert http.get("/api/tables", params={"before": number}).status_code == 200


def test_operations_that_make_a_guest_say_so(server: Server) -> None:
    told = httpx.get(f"{server.url}/api/openapi.json").json()["paths"]
    for operation in OPERATIONS:
        security = told[operation.path][operation.method.lower()].get("security", [])
        assert ({} in security) == operation.person
