import { CarriedModel, type Cell, type ModelCommand, type ModelList, type Said } from './carried-model.ts';

/** An operation of the model: it changes one field of the rows that a target has. */
export type ModelOperation = { name: string; field: string; apply: (value: string) => string };

/** A filter by a value, or some keys; null: all rows. */
export type ModelTarget = { field: string; value: string } | { keys: string[] } | null;

/** `rows`: how many it has changed; `orderedAt`: when the recipe was ordered that it repeats. */
type Step = { operation: ModelOperation; target: ModelTarget; rows: number; orderedAt?: number };

export type RecipeCommand = ModelCommand & {
  at: number;
  /** On the clock of what is carried. */
  saidAt: number;
  steps: Step[];
  isByRows: boolean;
  isRepeated: boolean;
};

type Recipe = Step & { madeIn: string; madeAt: number; doneAt: number; orderedAt: number; isUsed: boolean };

/** What is the same in two steps. */
const nameOf = ({ operation, target }: Pick<Step, 'operation' | 'target'>): string =>
  `${operation.name} ${JSON.stringify(target)}`;

/** Whether a command in effect has done to a list what a recipe does. */
function isDone({ commands }: ModelList, recipe: Recipe): boolean {
  return commands.some((command) => {
    const { steps = [], isByRows = false, isUndone } = command as ModelCommand & Partial<RecipeCommand>;
    const isSame = (step: Step) =>
      isByRows
        ? step.operation.name === recipe.operation.name && recipe.target !== null && 'keys' in recipe.target
        : nameOf(step) === nameOf(recipe);
    return !isUndone && steps.some(isSame);
  });
}

/** What was done to lists of a supplier, and what is offered for each. */
export class RecipeModel {
  readonly carried = new CarriedModel();
  readonly recipes = new Map<string, Recipe>();
  private readonly readAt = new Map<ModelList, number>();
  /** Commands that were done, undone or redone since their list was kept. */
  private readonly touched = new Map<ModelList, Set<RecipeCommand>>();
  private now = 0;

  constructor() {
    this.carried.firstOrder = (field) =>
      Math.min(
        ...[...this.recipes.values()].flatMap((one) => (one.operation.field === field ? one.orderedAt : [])),
      );
  }

  read(id: string, list: ModelList, command: string): void {
    for (const [other, earlier] of this.carried.lists) if (other !== id) this.keepSteps(other, earlier);
    this.now += 1;
    this.readAt.set(list, this.now);
    this.carried.read(id, list, command);
  }

  /**
   * What steps would change: their rows are those of now, and recipes leave the operator's own cells if `leavesOwn`.
   * The same operation changes a cell once.
   */
  changesOf(list: ModelList, steps: readonly Pick<Step, 'operation' | 'target'>[], leavesOwn: boolean) {
    const rowsOf = steps.map(({ target }) => rowsIn(list, target));
    const values = new Map<Cell, string>();
    const doneTo = new Set<string>();
    const done = steps.map(({ operation, target }, at): Step => {
      const { field } = operation;
      const orderedAt = this.recipes.get(nameOf({ operation, target }))?.orderedAt ?? 0;
      const cells = (rowsOf[at] ?? []).map((key) => `${key} ${field}` as Cell);
      const changed = cells.filter((cell) => {
        const before = values.get(cell) ?? list.value(cell);
        if ((leavesOwn && list.isOwn(cell, orderedAt)) || doneTo.has(`${operation.name} ${cell}`))
          return false;
        const after = operation.apply(before);
        if (after === before) return false;
        doneTo.add(`${operation.name} ${cell}`);
        values.set(cell, after);
        return true;
      });
      return { operation, target, rows: changed.length, ...(leavesOwn && { orderedAt }) };
    });
    const edits = new Map([...values].filter(([cell, value]) => value !== list.value(cell)));
    return { edits, steps: done };
  }

  act(list: ModelList, command: Omit<RecipeCommand, 'at' | 'saidAt' | 'isUndone'>): RecipeCommand {
    this.now += 1;
    const acted = { ...command, at: this.now, saidAt: 0, isUndone: false };
    acted.saidAt = this.carried.act(list, acted);
    this.touch(list, acted);
    return acted;
  }

  toggle(list: ModelList, command: ModelCommand | RecipeCommand): void {
    this.carried.toggle(list, command);
    if ('steps' in command) this.touch(list, command);
  }

  private touch(list: ModelList, command: RecipeCommand): void {
    const touched = this.touched.get(list) ?? new Set();
    this.touched.set(list, touched.add(command));
  }

  /** Keeps what was done to a list before it is deleted. */
  keep(id: string, list: ModelList): void {
    this.keepSteps(id, list);
    this.carried.keep(list);
  }

  private keepSteps(id: string, list: ModelList): void {
    const touched = [...(this.touched.get(list) ?? [])].sort((a, b) => a.at - b.at);
    this.touched.delete(list);
    for (const command of touched) {
      for (const step of command.steps.filter(({ rows }) => rows > 0)) this.keepStep(id, list, command, step);
    }
  }

  private keepStep(
    id: string,
    list: ModelList,
    command: RecipeCommand,
    { operation, target, rows, orderedAt = command.saidAt }: Step,
  ): void {
    const keys = [...command.edits.keys()].map((cell) => cell.slice(0, cell.indexOf(' ')));
    const step = { operation, rows, target: command.isByRows ? { keys: keys.sort() } : target };
    const known = this.recipes.get(nameOf(step));
    if (command.isUndone) {
      if (known?.madeIn === id && !known.isUsed && !isDone(list, known)) this.recipes.delete(nameOf(step));
    } else if (!known) {
      this.recipes.set(nameOf(step), {
        ...{ ...step, madeIn: id, madeAt: command.at, doneAt: command.at, isUsed: false, orderedAt },
      });
    } else if (known.doneAt <= command.at) {
      known.doneAt = command.at;
      if (!command.isRepeated) known.orderedAt = command.saidAt;
      known.rows = rows;
      known.isUsed ||= known.madeIn !== id;
    }
  }

  /** The recipes that are offered for a list, by name. */
  offered(id: string, list: ModelList): string[] {
    return [...this.recipes.values()]
      .filter(({ madeIn, madeAt }) => madeIn !== id && madeAt < (this.readAt.get(list) ?? 0))
      .filter((recipe) => !isDone(list, recipe))
      .map(nameOf);
  }
}

function rowsIn(list: ModelList, target: ModelTarget): string[] {
  const keys = Object.keys(list.said satisfies Said);
  if (target === null) return keys;
  if ('keys' in target) return keys.filter((key) => target.keys.includes(key));
  return keys.filter((key) => list.value(`${key} ${target.field}`) === target.value);
}
