"""Tables as text, for the reports of the tools."""


def aligned(lines, indent=""):
    """Lines of text from lines of cells: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    return ["  ".join([indent + line[0].ljust(widths[0])]
                      + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]).rstrip()
            for line in lines]
