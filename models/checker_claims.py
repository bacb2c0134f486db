"""Make claims for `train_checker.py` that its public data lack: rows of tables, fields of forms, and exchanged subjects.

Usage: checker_claims.py --train TRAIN.jsonl[.xz] --out DIR [--made 14000] [--exchanged 5000] [--base 30000] [--seed 3]
                         [--mentions mentions.jsonl]

Writes DIR/train.jsonl and DIR/dev.jsonl, lines of {"claim", "passage", "label", "source", "kind"}:

- Made documents: price lists, staff lists, leases, orders and so on, as a table with or without a heading, as "key: value" lines
  or as short notes, with or without the title before them. A claim gives a value to a thing. It is supported where the document
  says so, contradicted where the document gives that thing another value, and not found where the thing or the field stands
  nowhere, or where a value is taken for one of another field.
- Supported claims of TRAIN whose subject is exchanged for one that does not stand in the passage: not found. The claim as it was
  goes with it.
- "It mentions THING." for the things of MENTIONS, lines of {"thing", "wordings", "decoys"}: supported by a sentence that mentions the
  thing, whatever its words, not found in one that shares its words and means something else, or in a sentence about another thing.
  The same for names, which a text mentions if it holds them.
- BASE further records of TRAIN, so that what was learned is kept.

The documents of dev.jsonl come from kinds of documents that train.jsonl does not have, its things are other things.
"""

import argparse
import json
import lzma
import os
import random
import re

SYLLABLES = "bar bel cor dun el far gan hal is jor kel lin mar nor ol pen quil ros sel tor ul ver wen yar zan".split()
FIRST = "Anna Bela Carl Dora Emil Fay Gil Hana Ivo Jane Karl Lena Milo Nora Omar Pia Rolf Sara Tom Uma Vera Will Yann Zoe".split()
FUNCTIONS = "is was are were has had can will must may should of".split()


def name():
    return "".join(random.choice(SYLLABLES) for _ in range(random.choice([2, 2, 3]))).capitalize()


def person():
    return f"{random.choice(FIRST)} {name()}"


def company():
    return f"{name()} {random.choice(['Ltd', 'GmbH', '& Sons', 'Partners', 'plc', 'Works', 'Inc.'])}"


def place():
    return random.choice([name(), f"{random.randint(1, 90)} {name()} {random.choice(['Road', 'Street', 'Lane', 'Quay'])}"])


def number(low, high):
    return random.choice([random.randint(low, high), random.randint(low, max(low + 1, high // 10))])


SIGN = ["£", "$", "€"]


def money():
    amount = random.choice([number(2, 900) * 50, number(3, 400), random.randint(100, 99999) / 100])
    return random.choice(SIGN) + (f"{amount:,.2f}" if isinstance(amount, float) else f"{amount:,}")


def date():
    month = random.choice("January February March April May June July August September October November December".split())
    return random.choice([f"{random.randint(1, 28)} {month} {random.randint(1990, 2026)}", f"{month} {random.randint(1990, 2026)}", f"{random.randint(1, 28)} {month}"])


def amount(unit, low, high):
    return lambda: f"{number(low, high):,} {unit}"


def one_of(*words):
    return lambda: random.choice(words)


def of_span(*units):
    return lambda: f"{random.randint(2, 36)} {random.choice(units)}"


def percent():
    return f"{random.randint(1, 99)}%"


# kind of document -> (its things, its fields): a field is (labels, kind of value, maker of a value, claims about a thing).
def product():
    return f"{name()} {random.choice('desk wall tide kitchen garden travel mantel office'.split())} {random.choice('clock lamp chair kettle bench press drill shelf radio scale'.split())}"


def premises():
    return random.choice("the flat;the workshop;the garage;the shop;the barn;the office;the warehouse;the studio;the cellar;the house;the yard;the boathouse".split(";"))


def agreement():
    return random.choice([f"order {random.randint(100, 9999)}", f"invoice {random.randint(2010, 2026)}-{random.randint(10, 999)}", f"the {name()} contract", f"the {name()} agreement"])


def project():
    return f"the {name()} {random.choice('project bridge survey trial extension campaign restoration upgrade'.split())}"


def course():
    return f"the {random.choice('pottery welding Spanish first-aid drawing choir sailing baking yoga accounting'.split())} {random.choice('course class workshop evening'.split())}"


def town():
    return name()


def machine():
    return f"the {name()} {random.choice('pump mixer oven lathe printer boiler compressor mower saw'.split())}"


def drug():
    return name() + random.choice(["in", "ol", "ine", "ate", "ax"])


MONEY, DATE, PERSON, COMPANY = ("money", money), ("date", date), ("person", person), ("company", company)
DOCUMENTS = {
    "product": (product, [
        (["price", "list price", "unit price"], *MONEY, ["{e} costs {v}.", "The price of {e} is {v}.", "{e} is sold for {v}."]),
        (["weight"], "weight", amount("kg", 1, 60), ["{e} weighs {v}.", "The weight of {e} is {v}."]),
        (["maker", "manufacturer", "made by"], *COMPANY, ["{e} is made by {v}.", "{v} makes {e}.", "The maker of {e} is {v}."]),
        (["in stock", "stock"], "count", amount("pieces", 1, 900), ["{v} of {e} are in stock.", "The stock of {e} is {v}."]),
        (["warranty", "guarantee"], "span", of_span("months", "years"), ["{e} has a guarantee of {v}.", "The warranty of {e} lasts {v}."]),
        (["colour", "finish"], "colour", one_of("red", "oak", "blue", "brass", "white", "grey", "walnut", "black"), ["{e} comes in {v}.", "The finish of {e} is {v}."]),
        (["designer", "designed by"], *PERSON, ["{e} was designed by {v}.", "{v} designed {e}."]),
        (["trade discount", "discount"], "percent", percent, ["The discount on {e} is {v}.", "Dealers get {v} off {e}."]),
        (["repair price", "cost of repair"], *MONEY, ["A repair of {e} costs {v}.", "Repairing {e} costs {v}."]),
    ]),
    "staff": (person, [
        (["role", "job", "position"], "role", one_of("bookkeeper", "foreman", "buyer", "designer", "caretaker", "driver", "secretary", "apprentice", "engineer"), ["{e} is the {v}.", "{e} works as {v}."]),
        (["extension", "phone"], "phone", lambda: str(random.randint(100, 999)), ["The extension of {e} is {v}.", "{e} can be called on {v}."]),
        (["room", "office"], "room", lambda: f"room {random.randint(1, 40)}", ["{e} sits in {v}.", "The office of {e} is {v}."]),
        (["joined", "since", "start date"], *DATE, ["{e} joined in {v}.", "{e} started in {v}."]),
        (["left", "leaving date"], *DATE, ["{e} left in {v}.", "The last day of {e} was in {v}."]),
        (["manager", "reports to"], *PERSON, ["{e} reports to {v}.", "The manager of {e} is {v}."]),
        (["deputy", "stand-in"], *PERSON, ["The deputy of {e} is {v}.", "{v} stands in for {e}."]),
        (["salary", "pay"], *MONEY, ["{e} earns {v}.", "The salary of {e} is {v}."]),
        (["holiday", "days off"], "days", amount("days", 10, 40), ["{e} has {v} of holiday.", "{e} gets {v} off."]),
    ]),
    "lease": (premises, [
        (["rent", "yearly rent", "annual rent"], *MONEY, ["The rent of {e} is {v}.", "{E} is let for {v} a year.", "The tenant pays {v} for {e}."]),
        (["deposit"], *MONEY, ["The deposit for {e} is {v}.", "A deposit of {v} was paid for {e}."]),
        (["asking rent", "landlord asked for"], *MONEY, ["The landlord had asked for {v} for {e}.", "The asking rent of {e} was {v}."]),
        (["budget", "budget up to"], *MONEY, ["The budget for {e} is {v}.", "Up to {v} may be spent on {e}."]),
        (["service charge"], *MONEY, ["The service charge of {e} is {v}."]),
        (["landlord", "owner"], *COMPANY, ["The landlord of {e} is {v}.", "{E} belongs to {v}."]),
        (["tenant"], *COMPANY, ["The tenant of {e} is {v}.", "{v} rents {e}."]),
        (["notice", "notice period"], "span", of_span("months", "weeks"), ["The notice period for {e} is {v}.", "Notice of {v} is needed for {e}."]),
        (["start", "lease begins"], *DATE, ["The lease of {e} began in {v}.", "The lease of {e} starts in {v}."]),
        (["end", "lease ends", "expiry"], *DATE, ["The lease of {e} ends in {v}.", "The lease of {e} runs out in {v}."]),
        (["floor area", "area"], "area", amount("square metres", 20, 900), ["{E} has {v}.", "The area of {e} is {v}."]),
    ]),
    "agreement": (agreement, [
        (["total", "amount", "sum"], *MONEY, ["The total of {e} is {v}.", "{E} comes to {v}."]),
        (["deposit", "paid in advance"], *MONEY, ["{v} was paid in advance on {e}.", "The deposit on {e} was {v}."]),
        (["VAT", "tax"], *MONEY, ["The VAT on {e} is {v}."]),
        (["penalty", "late fee"], *MONEY, ["The penalty under {e} is {v}.", "Late payment of {e} costs {v}."]),
        (["due", "payable by"], *DATE, ["{E} is due in {v}.", "{E} must be paid by {v}."]),
        (["delivered", "delivery"], *DATE, ["The goods of {e} were delivered in {v}.", "Delivery under {e} was in {v}."]),
        (["signed"], *DATE, ["{E} was signed in {v}."]),
        (["customer", "buyer"], *COMPANY, ["The customer of {e} is {v}.", "{v} is the buyer under {e}."]),
        (["supplier", "seller"], *COMPANY, ["The supplier under {e} is {v}.", "{v} is the seller under {e}."]),
        (["signed by", "signatory"], *PERSON, ["{E} was signed by {v}.", "{v} signed {e}."]),
        (["checked by"], *PERSON, ["{E} was checked by {v}.", "{v} checked {e}."]),
        (["quantity"], "count", amount("pieces", 2, 5000), ["{E} is for {v}.", "{v} were bought under {e}."]),
    ]),
    "project": (project, [
        (["budget"], *MONEY, ["The budget of {e} is {v}.", "{v} is set aside for {e}."]),
        (["spent", "cost so far"], *MONEY, ["{v} has been spent on {e}.", "{E} has cost {v} so far."]),
        (["offer", "lowest offer"], *MONEY, ["The lowest offer for {e} was {v}.", "{v} was offered for {e}."]),
        (["lead", "project manager"], *PERSON, ["{v} leads {e}.", "The manager of {e} is {v}."]),
        (["sponsor"], *PERSON, ["The sponsor of {e} is {v}.", "{v} sponsors {e}."]),
        (["architect"], *PERSON, ["The architect of {e} is {v}.", "{v} drew {e}."]),
        (["contractor", "builder"], *COMPANY, ["The contractor of {e} is {v}.", "{v} builds {e}."]),
        (["start", "began"], *DATE, ["{E} began in {v}.", "Work on {e} started in {v}."]),
        (["deadline", "finish"], *DATE, ["{E} must be done by {v}.", "The deadline of {e} is {v}."]),
        (["status", "state"], "state", one_of("on hold", "approved", "late", "finished", "cancelled", "in review"), ["{E} is {v}.", "The status of {e} is {v}."]),
        (["staff", "people"], "people", amount("people", 2, 90), ["{v} work on {e}.", "{E} employs {v}."]),
    ]),
    "course": (course, [
        (["teacher", "tutor"], *PERSON, ["{v} teaches {e}.", "The teacher of {e} is {v}."]),
        (["organiser"], *PERSON, ["{v} organises {e}."]),
        (["fee", "price"], *MONEY, ["The fee for {e} is {v}.", "{E} costs {v}."]),
        (["materials", "cost of materials"], *MONEY, ["The materials for {e} cost {v}."]),
        (["room"], "room", lambda: f"room {random.randint(1, 40)}", ["{E} is held in {v}."]),
        (["places", "seats"], "places", amount("places", 5, 60), ["{E} has {v}.", "There are {v} on {e}."]),
        (["begins", "first day"], *DATE, ["{E} begins on {v}."]),
        (["day"], "day", one_of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"), ["{E} is on {v}.", "{E} takes place every {v}."]),
        (["age", "minimum age"], "age", amount("years", 6, 18), ["The minimum age for {e} is {v}."]),
    ]),
    "town": (town, [
        (["population", "inhabitants"], "count", amount("people", 900, 900000), ["{v} live in {e}.", "{e} has a population of {v}."]),
        (["area"], "area", amount("square kilometres", 4, 900), ["{e} covers {v}.", "The area of {e} is {v}."]),
        (["mayor"], *PERSON, ["The mayor of {e} is {v}.", "{v} is mayor of {e}."]),
        (["founder"], *PERSON, ["{e} was founded by {v}.", "{v} founded {e}."]),
        (["founded"], "year", lambda: str(random.randint(900, 1990)), ["{e} was founded in {v}.", "{e} dates from {v}."]),
        (["height", "elevation"], "height", amount("metres", 3, 1900), ["{e} lies at {v}.", "The elevation of {e} is {v}."]),
        (["main employer"], *COMPANY, ["The main employer in {e} is {v}.", "{v} is the main employer of {e}."]),
    ]),
    "machine": (machine, [
        (["power"], "power", amount("watts", 50, 9000), ["{E} has a power of {v}.", "{E} draws {v}."]),
        (["weight"], "weight", amount("kg", 2, 900), ["{E} weighs {v}."]),
        (["load", "largest load"], "weight", amount("kg", 2, 900), ["{E} carries up to {v}.", "The largest load of {e} is {v}."]),
        (["noise", "noise level"], "noise", amount("decibels", 30, 110), ["{E} makes a noise of {v}.", "The noise level of {e} is {v}."]),
        (["service", "service interval"], "span", of_span("months", "weeks"), ["{E} is serviced every {v}.", "The service interval of {e} is {v}."]),
        (["oil change"], "span", of_span("months", "weeks"), ["The oil of {e} is changed every {v}."]),
        (["bought"], *DATE, ["{E} was bought in {v}."]),
        (["last repair"], *DATE, ["{E} was last repaired in {v}."]),
        (["maker"], *COMPANY, ["{E} is made by {v}.", "{v} makes {e}."]),
        (["operator"], *PERSON, ["{v} runs {e}.", "The operator of {e} is {v}."]),
    ]),
    "drug": (drug, [
        (["dose", "usual dose"], "dose", amount("mg", 5, 900), ["The usual dose of {e} is {v}.", "{e} is given at {v}."]),
        (["highest dose", "maximum"], "dose", amount("mg", 50, 4000), ["No more than {v} of {e} may be taken a day.", "The highest dose of {e} is {v}."]),
        (["taken every", "interval"], "span", of_span("hours"), ["{e} is taken every {v}."]),
        (["half-life"], "span", of_span("hours"), ["{e} has a half-life of {v}."]),
        (["common side effect"], "effect", one_of("headache", "nausea", "a dry mouth", "drowsiness", "a rash", "dizziness", "a cough"), ["A common side effect of {e} is {v}.", "{e} often causes {v}."]),
        (["price of a pack", "price"], *MONEY, ["A pack of {e} costs {v}."]),
        (["maker"], *COMPANY, ["{e} is made by {v}."]),
    ]),
}
DEV = ("machine", "drug")


def capital(text):
    return text[:1].upper() + text[1:]


def said(template, thing, value):
    return capital(template.replace("{e}", thing).replace("{E}", capital(thing)).replace("{v}", value))


def with_article(kind, thing):
    """A product is "the Dunlin desk clock" or "Dunlin desk clock" in a claim."""
    return f"the {thing}" if kind == "product" and random.random() < 0.6 else thing


def without_thing(template):
    """The template without its thing: "The rent of {e} is {v}." -> "The rent is {v}."; `None` if it does not work."""
    left = re.sub(r" (of|for|on|under|in) \{e\}", "", template)
    return left if "{e}" not in left and "{E}" not in left else None


def cased(label):
    return label if random.random() < 0.4 else capital(label)


def made(kind):
    """Claims about one made document, as many of each label."""
    thing_of, fields = DOCUMENTS[kind]
    things = []
    while len(things) < random.randint(2, 6):
        thing = thing_of()
        if thing not in things:
            things.append(thing)
    fields = random.sample(fields, len(fields))
    shown = fields[: random.randint(2, min(5, len(fields) - 1))]
    missing = fields[len(shown):]
    style = random.choice(["table", "table", "bare table", "lines", "lines", "notes", "notes", "notes", "sentences"])
    if style in ("lines", "notes"):
        things, others = things[:1], things[1:] + [thing_of()]
    else:
        others = [thing_of()]
    others = [other for other in others if other not in things]
    cells = {(thing, at): field[2]() for thing in things for at, field in enumerate(shown)}
    labels = [random.choice(field[0]) for field in shown]
    named = True
    if style in ("table", "bare table"):
        joint = random.choice(["  ", " | ", "\t", " ", ", "])
        rows = [joint.join([thing.removeprefix("the ")] + [cells[thing, at] for at in range(len(shown))]) for thing in things]
        if style == "table":
            head = random.choice(["", "Name", "Item", kind.capitalize(), "No."])
            rows.insert(0, joint.join(([head] if head or joint != " " else []) + [cased(label) for label in labels]).strip())
        passage = random.choice([" ", "\n"]).join(rows)
    elif style in ("lines", "notes"):
        thing = things[0]
        named = random.random() < 0.5
        titled = not named and random.random() < 0.5
        parts = [capital(label) + random.choice([": ", ": ", " ", " was ", " is "] if style == "notes" else [": "]) + cells[thing, at] for at, label in enumerate(labels)]
        random.shuffle(parts)
        start = capital(thing.removeprefix("the ")) if random.random() < 0.6 else f"{random.choice(['Notes on', 'About', 'Details of', 'File:'])} {thing}"
        end = ". " if style == "notes" else random.choice(["\n", ". ", "; ", " "])
        passage = end.join(([start] if named else []) + parts) + ("." if style == "notes" else "")
        if titled:
            passage = f"{capital(thing.removeprefix('the '))}: {passage}"
            named = True
    else:
        parts = [said(random.choice(shown[at][3]), thing, value) for (thing, at), value in cells.items()]
        random.shuffle(parts)
        parts = parts[: random.randint(2, 7)]
        passage = " ".join(parts)
        cells = {
            (thing, at): value
            for (thing, at), value in cells.items()
            if any(value in part and thing.lower() in part.lower() for part in parts)
        }
    if style in ("table", "bare table", "sentences") and random.random() < 0.3:
        passage = f"{random.choice([company(), name(), kind.capitalize() + ' list', kind.capitalize() + 's ' + str(random.randint(2015, 2026))])}: {passage}"
    kinds_shown = [field[1] for field in shown]
    # Without a heading only the kind of a value says what it is.
    clear = [at for at, field in enumerate(shown) if style != "bare table" or kinds_shown.count(field[1]) == 1 and field[1] not in ("date", "person", "company", "count", "span")]
    result = []
    usable = [(thing, at) for thing, at in cells if at in clear]
    if not usable:
        return []
    for _ in range(2):
        thing, at = random.choice(usable)
        template, value = random.choice(shown[at][3]), cells[thing, at]
        in_claim = with_article(kind, thing)
        if named:
            result.append((said(template, in_claim, value), "supported", "value"))
        elif without_thing(template):
            result.append((said(without_thing(template), "", value), "supported", "unnamed"))
            result.append((said(template, with_article(kind, random.choice([thing] + others)), value), "not-found", "thing not named"))
        # Another value: of another thing, or one that stands nowhere.
        wrong = [cells[other, place] for other, place in cells if place == at and other != thing and cells[other, place] != value]
        wrong = random.choice(wrong) if wrong and random.random() < 0.7 else shown[at][2]()
        if wrong != value:
            if named:
                result.append((said(template, in_claim, wrong), "contradicted", "other value"))
            elif without_thing(template):
                result.append((said(without_thing(template), "", wrong), "contradicted", "other value"))
        # A thing that stands nowhere.
        if others and named:
            result.append((said(template, with_article(kind, random.choice(others)), value), "not-found", "other thing"))
        # The value under a field that stands nowhere.
        same = [field for field in missing if field[1] == shown[at][1]]
        if same and named and style != "bare table":
            result.append((said(random.choice(random.choice(same)[3]), in_claim, value), "not-found", "other field"))
        elif same and not named:
            plain = without_thing(random.choice(random.choice(same)[3]))
            if plain:
                result.append((said(plain, "", value), "not-found", "other field"))
        # The thing taken for a value of a field that stands nowhere.
        roles = [field for field in missing if field[1] in ("company", "person")]
        if roles and named and random.random() < 0.6:
            part = random.choice(["the dial", "the frame", "the roof", "the lock", "the plan", "the report", "the handle", "the first one"])
            result.append((said(random.choice(random.choice(roles)[3]), part, thing.removeprefix("the ")), "not-found", "role"))
    by = {label: [one for one in result if one[1] == label] for label in ("supported", "contradicted", "not-found")}
    for part in by.values():
        random.shuffle(part)
    take = max(1, min(len(part) for part in by.values()))
    return [
        {"claim": claim, "passage": passage, "label": label, "source": f"made-{kind}", "kind": f"{style}, {how}"}
        for part in by.values()
        for claim, label, how in part[:take]
    ]


def exchanged(records, wanted):
    """Supported claims with another subject, and as they were."""
    noun = re.compile(r"\b([Tt]he|[Aa]|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts) ([a-z]{3,}) (" + "|".join(FUNCTIONS) + r")\b")
    proper = re.compile(r"(?<=[a-z,] )((?:[A-Z][a-z]+ )*[A-Z][a-z]{2,})\b")
    supported = [record for record in records if record["label"] == "supported" and not record["source"].endswith(("-fr", "-de", "-es"))]
    random.shuffle(supported)
    nouns = [match[2] for record in supported for match in noun.finditer(record["claim"])]
    names = [match[1] for record in supported for match in proper.finditer(record["claim"])]
    result = []
    for record in supported:
        pattern, pool, group = random.choice([(noun, nouns, 2), (proper, names, 1)])
        match = pattern.search(record["claim"])
        if not match:
            continue
        other = random.choice(pool)
        if other.lower()[:5] in record["passage"].lower() or len(other.split()) != len(match[group].split()):
            continue
        start, end = match.span(group)
        claim = record["claim"][:start] + other + record["claim"][end:]
        result.append({**record, "claim": claim, "label": "not-found", "kind": "subject exchanged"})
        result.append(record)
        if len(result) >= wanted:
            break
    return result


def mentions(topics, records, others):
    """Claims "It mentions ..." about the sentences of each topic, and `others` about names."""
    result = []

    def add(thing, passage, label, kind):
        result.append({"claim": f"It mentions {thing}.", "passage": passage, "label": label, "source": "mentions", "kind": kind})

    for topic in topics:
        thing = topic["thing"]
        for sentence in topic["wordings"]:
            add(thing, sentence, "supported", "wording")
        for sentence in topic["decoys"]:
            add(thing, sentence, "not-found", "decoy")
        for other in random.sample([other for other in topics if other is not topic], min(12, len(topics) - 1)):
            add(thing, random.choice(other["wordings"] + other["decoys"]), "not-found", "other thing")
    proper = re.compile(r"(?<=[a-z,] )((?:[A-Z][a-z]+ )*[A-Z][a-z]{2,})\b")
    named = [(names, record) for record in random.sample(records, min(len(records), 4 * others)) if (names := proper.findall(record["passage"]))]
    for (names, record), (absent, _) in list(zip(named, named[1:]))[:others]:
        add(random.choice(names), record["passage"], "supported", "name")
        other = random.choice(absent)
        if other not in record["passage"]:
            add(other, record["passage"], "not-found", "name")
    return result


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--train", required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--made", type=int, default=14000)
    arguments.add_argument("--exchanged", type=int, default=5000)
    arguments.add_argument("--base", type=int, default=30000)
    arguments.add_argument("--mentions")
    arguments.add_argument("--seed", type=int, default=3)
    a = arguments.parse_args()
    random.seed(a.seed)
    opened = lzma.open if a.train.endswith(".xz") else open
    with opened(a.train, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]

    def documents(kinds, wanted):
        result = []
        while len(result) < wanted:
            result += made(random.choice(kinds))
        return result

    train = documents([kind for kind in DOCUMENTS if kind not in DEV], a.made) + exchanged(records, a.exchanged)
    dev = documents(DEV, a.made // 14)
    if a.mentions:
        with open(a.mentions, encoding="utf-8") as file:
            topics = [json.loads(line) for line in file]
        random.shuffle(topics)
        apart = len(topics) // 15
        dev += mentions(topics[:apart], records, 20)
        train += 2 * mentions(topics[apart:], records, 600)
    train += random.sample(records, min(a.base, len(records)))
    random.shuffle(train)
    os.makedirs(a.out, exist_ok=True)
    for name_of, rows in (("train", train), ("dev", dev)):
        with open(os.path.join(a.out, f"{name_of}.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(f"{len(train)} for training, {len(dev)} kept apart")


if __name__ == "__main__":
    main()
