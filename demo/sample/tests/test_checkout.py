from shop.checkout import checkout


def test_ten_percent_off() -> None:
    assert checkout({"bread": 4.0, "milk": 1.0}) == 4.5
