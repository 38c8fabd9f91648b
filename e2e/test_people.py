"""Devices, blocks, reports, and being forgotten, in a browser."""

import re

from conftest import Guests
from house import GREETING, PHONE, WORDS, problems, say, turn_to
from playwright.sync_api import expect

ME, OPEN = {"kind": "me"}, {"kind": "open"}


def _said(key: str, **parts: str) -> str:
    text = WORDS[key]
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text


def test_a_device_is_signed_out_from_another(guests: Guests) -> None:
    ann, phone = guests(), guests(viewport=PHONE)
    page, other = ann.page, phone.page
    page.goto("/account")
    page.get_by_label(WORDS["profile_name"]).fill("Ann")
    page.get_by_role("button", name=WORDS["save"]).click()
    expect(page.get_by_role("status").filter(has_text=WORDS["profile_saved"])).to_be_visible()
    link = page.evaluate(
        "fetch('/api/me/link', { method: 'POST' }).then((answer) => answer.json())"
    )
    other.goto(link["url"])
    other.get_by_role("button", name=WORDS["claim_go"]).click()
    expect(other.get_by_role("heading", level=1, name="Ann")).to_be_visible()
    page.reload()
    devices = page.locator("section").filter(
        has=page.get_by_role("heading", name=WORDS["people_devices"])
    )
    expect(devices.get_by_role("listitem")).to_have_count(2)
    expect(devices.get_by_text(WORDS["people_device_here"])).to_have_count(1)
    assert not problems(page)
    other.goto("/")
    expect(other.get_by_role("heading", level=1, name=GREETING)).to_be_visible()
    page.get_by_role("button", name=WORDS["people_sign_out_others"]).click()
    expect(devices.get_by_role("listitem")).to_have_count(1)
    expect(other.get_by_role("heading", level=1, name=WORDS["error_revoked"])).to_be_visible()
    assert not problems(other)
    other.get_by_role("button", name=WORDS["people_revoked_go"]).click()
    expect(other.get_by_role("heading", level=1, name=GREETING)).to_be_visible()
    other.goto("/profile")
    expect(other.get_by_role("heading", level=1, name=re.compile(r"Guest \d{4}"))).to_be_visible()


def test_who_signs_out_for_good_is_asked_first(guests: Guests) -> None:
    page = guests(viewport=PHONE).page
    page.goto("/account")
    page.get_by_label(WORDS["profile_name"]).fill("Ann")
    page.get_by_role("button", name=WORDS["save"]).click()
    expect(page.get_by_role("status").filter(has_text=WORDS["profile_saved"])).to_be_visible()
    page.reload()
    sign_out = page.get_by_role("button", name=WORDS["people_sign_out_here"])
    sign_out.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(WORDS["people_sign_out_last"])
    assert not problems(page)
    page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_label(WORDS["profile_name"])).to_have_value("Ann")
    sign_out.click()
    dialog.get_by_role("button", name=WORDS["people_sign_out_here"]).click()
    expect(page.get_by_role("heading", level=1, name=GREETING)).to_be_visible()
    page.goto("/profile")
    expect(page.get_by_role("heading", level=1, name=re.compile(r"Guest \d{4}"))).to_be_visible()


def test_a_line_is_reported_and_its_writer_blocked(guests: Guests) -> None:
    ann, eve = guests(viewport=PHONE), guests(viewport=PHONE)
    table = ann.open_table("carnac", options={"board": "small"}, seats=[ME, OPEN])
    for someone in (ann, eve):
        someone.page.goto(table)
        turn_to(someone.page, WORDS["chat"])
    say(eve.page, "terrible words")
    chat = ann.page.get_by_role("log", name=WORDS["chat"])
    expect(chat).to_contain_text("terrible words")
    menu = chat.get_by_role("button", name=re.compile(_said("people_line", name=r"Guest \d+")))
    menu.click()
    ann.page.get_by_role("button", name=WORDS["people_report_line"]).click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label(WORDS["people_reason_insult"]).check()
    dialog.get_by_label(WORDS["people_words"]).fill("She is rude.")
    assert not problems(ann.page)
    dialog.get_by_role("button", name=WORDS["people_report_send"]).click()
    expect(dialog.get_by_text(WORDS["people_report_sent"])).to_be_visible()
    dialog.get_by_role("button", name=WORDS["close"]).click()
    block = ann.page.get_by_role(
        "button", name=re.compile(_said("people_block_name", name=r"Guest \d+"))
    )
    menu.click()
    block.click()
    expect(dialog.get_by_role("button", name=WORDS["people_block"])).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(chat).to_be_visible()  # what closes a dialog leaves the chat where it is
    menu.click()
    block.click()
    dialog.get_by_role("button", name=WORDS["people_block"]).click()
    expect(chat).not_to_contain_text("terrible words")
    ann.page.goto("/account")
    blocked = ann.page.get_by_role("button", name=WORDS["people_unblock"])
    expect(blocked).to_have_count(1)
    blocked.click()
    expect(ann.page.get_by_text(WORDS["people_blocked_none"])).to_be_visible()


def test_who_deletes_their_account_types_their_name_and_is_somebody_new(guests: Guests) -> None:
    ann = guests(viewport=PHONE)
    page = ann.page
    page.goto("/account")
    page.get_by_label(WORDS["profile_name"]).fill("Ann")
    page.get_by_role("button", name=WORDS["save"]).click()
    expect(page.get_by_role("status").filter(has_text=WORDS["profile_saved"])).to_be_visible()
    before = page.evaluate("fetch('/api/me').then((answer) => answer.json())")["id"]
    with page.expect_download() as kept:
        page.get_by_role("link", name=WORDS["people_export"]).click()
    assert before in kept.value.path().read_text()
    page.get_by_role("button", name=WORDS["people_delete"]).click()
    dialog = page.get_by_role("dialog")
    sure = dialog.get_by_role("button", name=WORDS["people_delete"])
    expect(sure).to_be_disabled()
    dialog.get_by_role("textbox").fill("Ann")
    assert not problems(page)
    sure.click()
    expect(page.get_by_role("heading", level=1, name=WORDS["home_title"])).to_be_visible()
    assert page.evaluate("fetch('/api/me').then((answer) => answer.json())")["id"] != before
