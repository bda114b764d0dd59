"""From a checked ruleset file to a `Ruleset`: squares resolved, the combat matrix filled, contradictions reported."""

from types import MappingProxyType

from engine_core import schema
from engine_core.board import Board, BoardMistake
from engine_core.contradictions import contradictions, idle_parts
from engine_core.errors import RulesetError
from engine_core.ruleset import Combat, Kind, Movement, Option, Ruleset, Zone


class Elaboration:
    """Spells a checked file out, and collects what contradicts itself in it."""

    def __init__(
        self, path: str, options: tuple[Option, ...], chosen: dict[str, str], file: schema.RulesetFile
    ) -> None:
        self.path = path
        self.options = options
        self.chosen = chosen
        self.file = file
        self.problems: list[str] = []
        self.undecided: dict[str, list[str]] = {}
        self.kind_index = {kind.id: index for index, kind in enumerate(file.kinds)}

    def ruleset(self) -> Ruleset:
        """The ruleset; RulesetError when the file contradicts itself."""
        file = self.file
        try:
            board = Board.build(file.board, file.seats)
        except BoardMistake as mistake:
            raise RulesetError(self.path, tuple(mistake.problems)) from None
        self.board = board
        for field, values in (("id", [k.id for k in file.kinds]), ("letter", [k.letter for k in file.kinds])):
            for value in sorted({v for v in values if values.count(v) > 1}):
                self.problems.append(f"kinds: {field} {value!r} stands twice; each kind needs its own")
        for ending in file.endings:
            for kind_id in (*getattr(ending, "kinds", ()), *getattr(ending, "excluded", ())):
                self._known_kind(f"endings.{ending.when}", kind_id)
        kinds = tuple(self._kind(kind) for kind in file.kinds)
        ruleset = Ruleset(
            id=file.id,
            revision=file.revision,
            name=file.name,
            summary=file.summary,
            options=self.options,
            chosen=MappingProxyType(self.chosen),
            board=board,
            teams=self._teams(),
            last_side_wins=file.seats.elimination == "last-side-wins",
            kinds=kinds,
            zones=self._zones(),
            combat=self._combat(),
            custodial=file.custodial,
            perfect_information=file.information == "perfect",
            fixed_start=bool(file.arrangement.fixed),
            two_squares=file.restrictions.two_squares,
            more_squares=file.restrictions.more_squares,
            headquarters_freeze=file.restrictions.headquarters_freeze,
            partner_view=file.seats.partner_view,
            endings=tuple(file.endings),
            goal=self._goal(),
            line_barred=self._line_barred(),
            ply_limit=self._limit("ply_limit"),
            quiet_limit=self._limit("quiet_limit"),
            reveal_at_end=self.chosen["reveal_at_end"] == "on",
        )
        self.problems += contradictions(file, ruleset)
        if not self.problems:
            self.problems += idle_parts(file, ruleset)
        if self.problems:
            raise RulesetError(self.path, tuple(self.problems))
        return ruleset

    def _limit(self, option: str) -> int:
        value = self.chosen[option]
        return 0 if value == "off" else int(value)

    def _kind(self, table: schema.KindTable) -> Kind:
        if table.movement == "none":
            movement = Movement("none", 0, 0, 0, False, False, False, False, "no")
        elif table.movement in self.file.movement:
            shape = self.file.movement[table.movement]
            reaches = (shape.forward, shape.backward, shape.sideways) if shape.range is None else (shape.range,) * 3
            forward, backward, sideways = (255 if reach == "any" else reach for reach in reaches)
            movement = Movement(
                table.movement, forward, backward, sideways, shape.fly, shape.hop, shape.leap, shape.road, shape.rail
            )
            if movement.immobile:
                self.problems.append(f"movement.{table.movement}: goes nowhere; give range or fly, or use 'none'")
        else:
            names = ", ".join((*self.file.movement, "none"))
            self.problems.append(f"kinds.{table.id}.movement: no movement {table.movement!r}; there are {names}")
            movement = Movement("none", 0, 0, 0, False, False, False, False, "no")
        return Kind(table.id, table.letter, table.name, table.count, movement)

    def _teams(self) -> tuple[int, ...]:
        count = self.file.seats.count
        if not self.file.seats.teams:
            return tuple(range(1, count + 1))
        listed = [seat for team in self.file.seats.teams for seat in team]
        if sorted(listed) != list(range(1, count + 1)):
            self.problems.append(
                f"seats.teams: must name each seat from 1 to {count} once, not {self.file.seats.teams}"
            )
            return tuple(range(1, count + 1))
        team_of = {seat: number for number, team in enumerate(self.file.seats.teams, 1) for seat in team}
        return tuple(team_of[seat] for seat in range(1, count + 1))

    def _seat_squares(self, where: str, given: schema.SeatSquares) -> tuple[frozenset[int], ...]:
        try:
            return self.board.seat_squares(where, given)
        except BoardMistake as mistake:
            self.problems += mistake.problems
            return (frozenset(),) * self.file.seats.count

    def _zones(self) -> tuple[Zone, ...]:
        table = self.file.arrangement
        if table.fixed:
            return self._fixed_zones(table.fixed)
        zones = self._seat_squares("arrangement.zone", table.zone or [])
        only = {kind: self._seat_squares(f"arrangement.only.{kind}", given) for kind, given in table.only.items()}
        never = {kind: self._seat_squares(f"arrangement.never.{kind}", given) for kind, given in table.never.items()}
        for field, kinds in (("only", only), ("never", never)):
            for named in kinds:
                self._known_kind(f"arrangement.{field}", named)
        result = []
        for index, zone in enumerate(zones):
            allowed = []
            for kind in self.file.kinds:
                squares = zone & only[kind.id][index] if kind.id in only else zone
                allowed.append(squares - never[kind.id][index] if kind.id in never else squares)
            result.append(Zone(zone, tuple(allowed)))
        return tuple(result)

    def _fixed_zones(self, fixed: dict[str, schema.SeatSquares]) -> tuple[Zone, ...]:
        """Zones that leave one arrangement: each kind on exactly its squares."""
        places = {kind: self._seat_squares(f"arrangement.fixed.{kind}", given) for kind, given in fixed.items()}
        for named in places:
            self._known_kind("arrangement.fixed", named)
        result = []
        for index in range(self.file.seats.count):
            allowed = tuple(places[kind.id][index] if kind.id in places else frozenset() for kind in self.file.kinds)
            result.append(Zone(frozenset().union(*allowed), allowed))
            for kind, squares in zip(self.file.kinds, allowed, strict=True):
                if kind.count != len(squares):
                    self.problems.append(
                        f"arrangement.fixed.{kind.id}: {len(squares)} squares for the {kind.count} of seat {index + 1}"
                    )
        return tuple(result)

    def _known_kind(self, where: str, kind: str) -> bool:
        if kind in self.kind_index:
            return True
        self.problems.append(f"{where}: no kind {kind!r}; the kinds are {', '.join(self.kind_index)}")
        return False

    def _combat(self) -> Combat | None:
        table = self.file.combat
        if table is None:
            return None
        strength = {kind: len(table.order) - place for place, kind in enumerate(table.order)}
        for ranked in table.order:
            self._known_kind("combat.order", ranked)
        for number, line in enumerate(table.exceptions):
            for field, named in (("attacker", line.attacker), ("defender", line.defender)):
                for kind in named if named != "any" else ():
                    self._known_kind(f"combat.exceptions[{number}].{field}", kind)
        rows = []
        for attacker in self.file.kinds:
            row = []
            for defender in self.file.kinds:
                row.append(self._outcome(table, strength, attacker, defender))
            rows.append(tuple(row))
        for kind, battles in self.undecided.items():
            more = f" and {len(battles) - 3} more" if len(battles) > 3 else ""
            self.problems.append(
                f"combat: no outcome for {', '.join(battles[:3])}{more}; rank {kind} in the order or add exceptions"
            )
        borrows = [self.kind_index[kind] for kind in table.borrows if self._known_kind("combat.borrows", kind)]
        shows = [
            (self.kind_index[death], self.kind_index[kind])
            for death, kind in table.death_shows.items()
            if self._known_kind("combat.death_shows", death) and self._known_kind("combat.death_shows", kind)
        ]
        return Combat(tuple(rows), table.reveal, tuple(sorted(shows)), tuple(sorted(borrows)))

    def _outcome(
        self,
        table: schema.CombatTable,
        strength: dict[str, int],
        attacker: schema.KindTable,
        defender: schema.KindTable,
    ) -> str:
        for line in table.exceptions:
            if (
                (line.attacker == "any" or attacker.id in line.attacker)
                and (line.defender == "any" or defender.id in line.defender)
                and (not line.equal or attacker.id == defender.id)
            ):
                return line.outcome
        if defender.id in table.borrows:
            return "A"  # without anything behind it
        if attacker.movement == "none":
            return "D"  # never attacks; the cell only has to hold something
        for kind in (attacker.id, defender.id):
            if kind not in strength:
                self.undecided.setdefault(kind, []).append(f"{attacker.id} against {defender.id}")
                return "B"
        difference = strength[attacker.id] - strength[defender.id]
        return "A" if difference > 0 else "D" if difference < 0 else "B"

    def _goal(self) -> tuple[frozenset[int], ...]:
        for ending in self.file.endings:
            if isinstance(ending, schema.FlagReached):
                return self._seat_squares("endings.flag-reached.goal", ending.goal)
        return (frozenset(),) * self.file.seats.count

    def _line_barred(self) -> tuple[frozenset[int], ...]:
        for ending in self.file.endings:
            if isinstance(ending, schema.Line):
                return self._seat_squares("endings.line.barred", ending.barred)
        return (frozenset(),) * self.file.seats.count
