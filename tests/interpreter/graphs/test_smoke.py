from interpreter.graphs import Links, best_rows, groups, path, paths, reach


def test_doors() -> None:
    links = Links(5, [(0, 1), (1, 2), (2, 3), (3, 3), None, (1, 2)])
    assert reach(links, 0, 0b100011) == 0b0111
    assert groups(links, 0b11111, 0b11) == (0b111, 0b1000, 0b10000)
    assert path(links, 0, 3, 0b111111) == 0b111
    assert paths(links, 0b1111, 0b111111, 3) == (0b111, 0b1111, 0b1110)
    assert best_rows(links, 0b1111, 0b111111, 2, int.bit_count) == (4, (0b11, 0b1100))
