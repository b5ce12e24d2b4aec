/** A cell of a list: the key of its row, and a field. */
export type Cell = `${string} ${string}`;

/** Rows by key: what the file says, by field. */
export type Said = Record<string, Record<string, string>>;

export type ModelCommand = {
  id: string;
  /** Edits by cell; null: back to the value of the file. */
  edits: Map<Cell, string | null>;
  isCarriable: boolean;
  isCarried?: boolean;
  /** When the carried values were set by hand, by cell. */
  setAt?: ReadonlyMap<Cell, number>;
  isTheirs?: boolean;
  isUndone: boolean;
};

type Proposal = {
  value: string;
  yours: string;
  state: 'open' | 'taken' | 'dismissed';
  takenBy?: string;
  passedOverBy?: string;
  dismissedBy?: string;
  decidedAt: number;
};

/** Something that was done to a cell. */
type Act = {
  cell: Cell;
  at: number;
  isCarriable: boolean;
  isCarried: boolean;
};

/** What a list says of a cell of an item; `value` null: it was taken back. `setAt` 0: nothing of its own. */
type Kept = { value: string | null; saidOf: string | null; at: number; setAt: number };

const nothing = { value: null, setAt: 0 };
const leaveOut = 'leaveOut';
const fieldOf = (cell: Cell): string => cell.slice(cell.indexOf(' ') + 1);
const plain = (field: string, text: string): string =>
  field === 'price' && text !== '' ? String(Number(text)) : text.trim();

/** A list of the supplier, as the operator sees it. */
export class ModelList {
  readonly commands: ModelCommand[] = [];
  readonly proposals = new Map<Cell, Proposal>();
  readonly acts: Act[] = [];
  readonly said: Said;
  keptTo = 0;

  constructor(said: Said) {
    this.said = said;
  }

  saidIn(cell: Cell): string {
    return this.said[cell.slice(0, cell.indexOf(' '))]?.[fieldOf(cell)] ?? '';
  }

  /** The command whose edit of a cell is in effect. */
  latest(cell: Cell, which: (command: ModelCommand) => boolean = () => true): ModelCommand | undefined {
    return this.commands.findLast((one) => !one.isUndone && one.edits.has(cell) && which(one));
  }

  value(cell: Cell): string {
    return this.latest(cell)?.edits.get(cell) ?? this.saidIn(cell);
  }

  /** Whether a recipe leaves a cell: the operator has set its value in this list, or after he ordered the recipe. */
  isOwn(cell: Cell, orderedAt: number): boolean {
    const latest = this.latest(cell);
    return latest !== undefined && (latest.setAt?.get(cell) ?? Number.POSITIVE_INFINITY) > orderedAt;
  }

  open(): Cell[] {
    return [...this.proposals].filter(([, { state }]) => state === 'open').map(([cell]) => cell);
  }

  /** The cells that the undo or redo of a command changes: nobody has edited them since. */
  changedBy(command: ModelCommand): Cell[] {
    const later = this.commands.slice(this.commands.indexOf(command) + 1);
    return [...command.edits.keys()].filter(
      (cell) => !later.some((one) => !one.isUndone && one.edits.has(cell)),
    );
  }
}

/** What the operator's work comes to over the lists of a supplier. */
export class CarriedModel {
  readonly lists = new Map<string, ModelList>();
  readonly kept = new Map<Cell, Map<ModelList, Kept>>();
  /** When the first recipe for a field was ordered. */
  firstOrder: (field: string) => number = () => Number.POSITIVE_INFINITY;
  private now = 0;
  private readonly saidAt = new Map<ModelCommand, number>();

  /** A further list with its id: what was done to the others is kept, and carried into it by command `command`. */
  read(id: string, list: ModelList, command: string): void {
    for (const [other, earlier] of this.lists) if (other !== id) this.keep(earlier);
    this.lists.set(id, list);
    const edits = new Map<Cell, string>();
    for (const cell of this.kept.keys()) {
      const { value, saidOf, setAt } = this.counting(cell);
      const [key = '', field = ''] = cell.split(' ');
      if (value === null || !(key in list.said)) continue;
      const theirs = list.saidIn(cell);
      const isEdited = list.commands.some((one) => one.edits.has(cell));
      const isEqual = field !== leaveOut && plain(field, theirs) === plain(field, value);
      const isFinal = setAt > this.firstOrder(field);
      if (!isEdited && (!isEqual || isFinal)) edits.set(cell, value);
      const isCarried = list.latest(cell)?.isCarried && list.value(cell) === value;
      if (field === leaveOut || (isEdited && !isCarried)) continue;
      const proposal = list.proposals.get(cell);
      if (isEqual || plain(field, theirs) === saidOf) {
        if (isEdited && proposal?.state === 'open') list.proposals.delete(cell);
      } else if (!proposal)
        list.proposals.set(cell, { value: theirs, yours: value, state: 'open', decidedAt: 0 });
    }
    const setAt = new Map([...edits.keys()].map((cell) => [cell, this.counting(cell).setAt]));
    if (edits.size > 0)
      this.act(list, {
        ...{ id: command, edits, setAt },
        ...{ isCarriable: true, isCarried: true, isUndone: false },
      });
  }

  /** A command of the operator. */
  act(list: ModelList, command: ModelCommand): number {
    list.commands.push(command);
    this.now += 1;
    this.saidAt.set(command, this.now);
    for (const cell of command.edits.keys()) {
      this.touch(list, cell, command, command.isCarried ?? false);
      const proposal = list.proposals.get(cell);
      if (command.isCarried || proposal?.state !== 'open') continue;
      if (command.isTheirs)
        Object.assign(proposal, {
          ...{ state: 'taken', takenBy: command.id },
          ...{ passedOverBy: undefined, dismissedBy: undefined },
        });
      else Object.assign(proposal, { state: 'dismissed', passedOverBy: command.id });
      proposal.decidedAt = this.now;
    }
    return this.saidAt.get(command) ?? 0;
  }

  private touch(list: ModelList, cell: Cell, command: ModelCommand, isCarried: boolean): void {
    this.now += 1;
    list.acts.push({ cell, at: this.now, isCarriable: command.isCarriable, isCarried });
  }

  /** Dismisses what the supplier says about cells; `command`: if it can be undone. */
  dismiss(list: ModelList, cells: readonly Cell[], command?: string): void {
    this.now += 1;
    for (const cell of cells) {
      const proposal = list.proposals.get(cell);
      if (proposal) {
        Object.assign(proposal, { state: 'dismissed', passedOverBy: undefined, dismissedBy: command });
        Object.assign(proposal, { takenBy: undefined, decidedAt: this.now });
      }
    }
  }

  /** Undoes or redoes a command. */
  toggle(list: ModelList, command: ModelCommand): void {
    const cells = list.changedBy(command);
    command.isUndone = !command.isUndone;
    for (const cell of cells) {
      this.touch(list, cell, command, false);
      const proposal = list.proposals.get(cell);
      if (!proposal) continue;
      const isOfThis = proposal.takenBy === command.id || proposal.passedOverBy === command.id;
      if (command.isUndone === (command.isCarried ?? false)) {
        if (proposal.state !== 'open' || (!command.isCarried && !isOfThis)) continue;
        if (command.isCarried) proposal.passedOverBy = command.id;
        proposal.state = proposal.takenBy === command.id ? 'taken' : 'dismissed';
      } else if (proposal.state !== 'open' && isOfThis) proposal.state = 'open';
      else continue;
      proposal.decidedAt = this.now;
    }
  }

  /** Undoes or redoes a decision about proposals. */
  toggleDismissal(list: ModelList, command: string, isUndo: boolean): void {
    this.now += 1;
    for (const proposal of list.proposals.values()) {
      if (proposal.dismissedBy !== command || (proposal.state === 'open') === isUndo) continue;
      Object.assign(proposal, { state: isUndo ? 'open' : 'dismissed', decidedAt: this.now });
    }
  }

  /** Keeps what was done to a list since it was kept last. */
  keep(list: ModelList): void {
    const since = list.keptTo;
    this.now += 1;
    list.keptTo = this.now;
    const touched = list.acts.filter(({ at, isCarriable }) => at > since && isCarriable);
    for (const { cell, at, isCarried } of new Map(touched.map((act) => [act.cell, act])).values()) {
      const ofCell = this.kept.get(cell) ?? new Map<ModelList, Kept>();
      const word = isCarried ? nothing : this.wordOf(list, cell);
      if (word.setAt === 0 && !ofCell.has(list)) continue;
      ofCell.set(list, { ...word, at, saidOf: this.saidOf(list, cell) });
      this.kept.set(cell, ofCell);
    }
    for (const [cell, { state, passedOverBy, decidedAt }] of list.proposals) {
      if (decidedAt <= since || state !== 'dismissed' || passedOverBy) continue;
      for (const stored of this.kept.get(cell)?.values() ?? [])
        if (stored.at <= decidedAt) stored.saidOf = this.saidOf(list, cell);
    }
  }

  /** What a list says of a cell: an operator that undoes a carried value takes back all that was set up to then. */
  private wordOf(list: ModelList, cell: Cell): Pick<Kept, 'value' | 'setAt'> {
    const said = list.latest(cell, ({ isCarriable }) => isCarriable);
    const value = said?.edits.get(cell) ?? null;
    if (said && !said.isCarried)
      return { value: said.isTheirs ? null : value, setAt: this.saidAt.get(said) ?? 0 };
    const carried = list.commands.flatMap((one) => (one.edits.has(cell) ? (one.setAt?.get(cell) ?? []) : []));
    const newest = Math.max(0, ...carried);
    return (said?.setAt?.get(cell) ?? 0) === newest ? nothing : { value, setAt: newest };
  }

  /** What counts of all that the lists say of a cell: what was set last; of the same time, what was done last. */
  private counting(cell: Cell): Kept {
    const said = [...(this.kept.get(cell)?.values() ?? [])];
    const [first] = said.sort((a, b) => b.setAt - a.setAt || b.at - a.at);
    return first ?? { ...nothing, saidOf: null, at: 0 };
  }

  private saidOf(list: ModelList, cell: Cell): string | null {
    const field = fieldOf(cell);
    return field === leaveOut ? null : plain(field, list.saidIn(cell));
  }
}
