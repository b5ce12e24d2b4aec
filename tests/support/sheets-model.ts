/** A field of a row: the table's number, the row of its sheet, and the field. */
export type SheetCell = `${number}:${number} ${string}`;

export type SheetCommand = { id: string; cell: SheetCell; value: string; isUndone: boolean };

/** An import of a workbook: the sheet that it shows, by its number, and everything that was ever edited. */
export type ModelImport = {
  id: string;
  sheet: number;
  headerRow: number;
  /** Edits of earlier imports of the file, by cell. */
  copied: ReadonlyMap<SheetCell, string>;
  commands: SheetCommand[];
};

/** What edits of a workbook's sheets come to: an edit is that of a row of a sheet, whatever is shown. */
export class SheetsModel {
  /** In the order of their upload. */
  readonly imports: ModelImport[] = [];

  /** Another import of the file has the edits that are in effect in the latest one before it. */
  add(read: Omit<ModelImport, 'copied' | 'commands'>): ModelImport {
    const last = this.imports.at(-1);
    const added = { ...read, copied: last ? this.edits(last) : new Map(), commands: [] };
    this.imports.push(added);
    return added;
  }

  remove(deleted: ModelImport): void {
    this.imports.splice(this.imports.indexOf(deleted), 1);
  }

  /** The edits in effect, also those of rows that are not shown. */
  edits({ copied, commands }: ModelImport): Map<SheetCell, string> {
    const edits = new Map(copied);
    for (const { cell, value, isUndone } of commands) if (!isUndone) edits.set(cell, value);
    return edits;
  }

  /** Commands that can be undone or redone: nobody has edited their cell since. */
  undoable({ commands }: ModelImport): SheetCommand[] {
    return commands.filter(
      (one, at) => !commands.slice(at + 1).some(({ cell, isUndone }) => cell === one.cell && !isUndone),
    );
  }

  /** How many edits belong to rows that are not shown. */
  withoutRow(of: ModelImport, rowsPerSheet: number): number {
    const isShown = (cell: SheetCell) => {
      const [sheet, row] = cell.split(/[: ]/).map(Number);
      return sheet === of.sheet && Number(row) > of.headerRow && Number(row) <= rowsPerSheet;
    };
    return [...this.edits(of).keys()].filter((cell) => !isShown(cell)).length;
  }
}
