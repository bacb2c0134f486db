import json
import unittest

import table


def line(figure, value, better="more", **peer):
    return json.dumps({"bench": "b", "figure": figure, "value": value, "unit": "1/s", "better": better} | peer)


class Ratios(unittest.TestCase):
    def test_of_a_rate_and_of_a_time_more_than_one_is_ahead(self):
        figures = table.read(
            [
                line("rate", 200),
                line("rate", 100, peer="slow"),
                line("rate", 160, peer="fast"),
                line("time", 2, "less"),
                line("time", 3, "less", peer="fast"),
                line("time", 9, "less", peer="slow"),
            ]
        )
        self.assertEqual(table.ratios(figures), {"b, rate": 1.25, "b, time": 1.5})

    def test_the_median_of_several_runs_counts(self):
        figures = table.read([line("rate", value) for value in (1, 30, 20)] + [line("rate", 10, peer="p")])
        self.assertEqual(table.ratios(figures), {"b, rate": 2})

    def test_of_a_curve_the_fastest_point_with_enough_recall_counts(self):
        def point(recall, value, **peer):
            line = {"bench": "b", "setting": "s", "recall": recall, "value": value, "unit": "ms", "better": "less"}
            return json.dumps(line | peer)

        figures = table.read(
            [point(0.9, 1), point(0.98, 4), point(1, 9), point(0.97, 2, peer="p"), point(0.5, 1, peer="q")]
        )
        self.assertEqual(table.ratios(figures), {"b, a query, recall 0.97 or more": 0.5})

    def test_without_a_peer_or_without_oriel_there_is_no_ratio(self):
        self.assertEqual(table.ratios(table.read([line("rate", 1), line("other", 1, peer="p")])), {})


class Comparison(unittest.TestCase):
    def test_a_fall_of_more_than_the_tolerance_is_named(self):
        self.assertEqual(table.fallen({"kept": 2.0, "better": 1.0}, {"kept": 1.71, "better": 3.0}), [])
        self.assertEqual(table.fallen({"fell": 2.0}, {"fell": 1.69}), ["fell: recorded 2.00, now 1.69 (-16%)"])

    def test_a_ratio_that_was_not_measured_is_named(self):
        self.assertEqual(table.fallen({"gone": 2.0}, {"new": 1.0}), ["gone: recorded 2.00, not measured"])


class Table(unittest.TestCase):
    def test_a_row_has_the_peers_from_the_best_to_the_worst_and_the_ratio(self):
        values = [line("rate", 200), line("rate", 80, peer="slow one"), line("rate", 160, peer="fast one")]
        row = table.table(table.read(values)).splitlines()[-1]
        self.assertEqual(row, "| b, rate (1/s) | 200   | fast one 160, slow one 80 | 1.25  |")


if __name__ == "__main__":
    unittest.main()
