"""What a command answers, as plain text for a chat in a terminal."""

from assistant.commands.answer import Answer, Block, Card, Content, Fields, Picture, Table, Words
from assistant.commands.carry_out import as_typed
from assistant.commands.context import CommandContext
from workers.cli.output import printable
from workers.cli.terminal.render import as_lines, barred, detail_lines, labelled, set_off


def in_words(ctx: CommandContext, answer: Answer) -> str:
    """The blocks in their order, what is said aside, and what must be typed to go on."""
    lines = [*map(_block, answer.blocks), *answer.notes]
    if answer.next:
        typed = as_typed(ctx, answer.next.command, answer.next.args, answer.word)
        lines.append(f"Type: {typed}")
    return "\n".join(filter(None, lines))


def _block(block: Block) -> str:
    match block:
        case Words():
            return barred(block.text) if block.outside else printable(block.text)
        case Card():
            return as_lines(block.shown)
        case Fields():
            titled = detail_lines(block.title, block.lines) if block.title else ""
            return titled or "\n".join(map(labelled, block.lines))
        case Table():
            return _rows(block)
        case Content():
            return barred(b"".join(block.chunks).decode(errors="replace"))
        case Picture():
            return ""


def _rows(table: Table) -> str:
    """The rows as cards where there are any, else as labelled lines, else cell by cell."""
    if not table.rows:
        return table.empty
    if table.cards:
        return "\n".join(as_lines(card.shown) for card in table.cards)
    if table.lines:
        rows = [labelled(line) for line in table.lines]
    else:
        rows = [set_off("  ".join(cell for cell in row if cell)) for row in table.rows]
    return "\n".join(filter(None, (table.title, *rows)))
