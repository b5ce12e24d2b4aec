import type { InlineField } from '@draftshelf/domain/base/field-look';
import { expect, test } from 'vitest';
import { handleKey, type KeyContext, readTypedChar } from './grid-keys.ts';
import {
  applyGridEvent,
  type EditStart,
  emptyGrid,
  findPendingStep,
  findTargetRange,
  type GridEffect,
  type GridEvent,
  type GridPosition,
  type GridState,
  hasFillHandle,
  isMarked,
  type KeyPress,
  type Outcome,
} from './grid-state.ts';

// Rows 1 to 4, with a tick, title, price, a picture, cost and a button.
const layout = { rows: [1, 2, 3, 4], columns: [null, 'title', 'price', null, 'cost', null] } as const;
const shown = applyGridEvent(emptyGrid, { kind: 'layout', layout }).state;

const place = (
  row: number,
  field: InlineField | null,
  part: GridPosition['part'] = 'cell',
): GridPosition => ({
  ...{ row, field, part },
});
const cell = (row: number, field: InlineField) => ({ row, field });

/** 'Ctrl+Shift+ArrowDown'. */
function press(keys: string, more: Partial<KeyPress> = {}): KeyPress {
  const key = keys.split('+').at(-1) ?? '';
  return {
    ...{ key, shiftKey: keys.includes('Shift+'), ctrlKey: keys.includes('Ctrl+') },
    ...{ metaKey: keys.includes('Meta+'), altKey: keys.includes('Alt+') },
    ...{ repeat: false, isComposing: false, isAltGraph: false, ...more },
  };
}

const browsing: KeyContext = {
  ...{ isEditable: true, edit: null, isOfProblems: false },
  ...{ hasPage: () => false, fieldIn: (_row: number, from: InlineField) => from },
};
const editing: KeyContext = { ...browsing, edit: { isChanged: true, hasConflict: false } };

const at = (cursor: GridPosition, more: Partial<GridState> = {}): GridState => ({
  ...shown,
  cursor,
  ...more,
});
const pressed = (
  keys: string,
  cursor: GridPosition,
  now: Partial<KeyContext> = {},
  more: Partial<GridState> = {},
) => handleKey(at(cursor, more), press(keys), cursor, { ...browsing, ...now });
const begunAs = (row: number, begun: EditStart, field: InlineField = 'price') => ({
  edits: new Map([[row, { field, begun, origin: field }]]),
});
const after = (state: GridState, ...events: GridEvent[]): Outcome =>
  events.reduce<Outcome>((last, event) => applyGridEvent(last.state, event), {
    ...{ state, effects: [], pass: 'on' },
  });
const markedFrom = (first: ReturnType<typeof cell>, last: ReturnType<typeof cell>) => ({
  marked: { first, last },
});

test('plain arrow keys move between cells, and leave the head and controls to the cursor of tables', () => {
  const cases: [keys: string, from: GridPosition, to: GridPosition | null][] = [
    ['ArrowDown', place(1, 'price'), place(2, 'price')],
    ['ArrowUp', place(2, 'price'), place(1, 'price')],
    ['ArrowRight', place(1, 'title'), place(1, 'price')],
    ['ArrowLeft', place(1, 'price'), place(1, 'title')],
    // The head, a picture, the tick, and no page behind.
    ['ArrowUp', place(1, 'price'), null],
    ['ArrowRight', place(1, 'price'), null],
    ['ArrowLeft', place(1, 'title'), null],
    ['ArrowDown', place(4, 'price'), null],
    ...[
      'Ctrl+ArrowDown',
      'Meta+ArrowLeft',
      'Alt+ArrowUp',
      'Home',
      'End',
      'Ctrl+Home',
      'PageDown',
      'PageUp',
    ].map((keys): [string, GridPosition, null] => [keys, place(2, 'price'), null]),
    ['ArrowDown', place(2, 'title', 'control'), null],
    ['ArrowDown', place(2, null, 'control'), null],
  ];
  for (const [keys, from, to] of cases) {
    const { state, effects, pass } = pressed(keys, from);
    expect(effects, keys).toEqual([]);
    expect(pass, keys).toBe(to === null ? 'on' : 'stops');
    expect(state.cursor, keys).toEqual(to ?? from);
    expect(state.focus, keys).toEqual(to && { row: to.row, field: to.field, on: 'cell' });
  }
});

test('shift, and Ctrl A, mark cells from the one that has the focus', () => {
  const cases: [
    keys: string,
    from: GridPosition,
    first: [number, InlineField],
    last: [number, InlineField],
  ][] = [
    ['Shift+ArrowDown', place(2, 'price'), [2, 'price'], [3, 'price']],
    ['Shift+ArrowRight', place(2, 'price'), [2, 'price'], [2, 'cost']],
    ['Shift+ArrowLeft', place(2, 'title'), [2, 'title'], [2, 'title']],
    ['Shift+ArrowUp', place(1, 'title', 'control'), [1, 'title'], [1, 'title']],
    ['Ctrl+Shift+ArrowDown', place(2, 'price'), [2, 'price'], [4, 'price']],
    ['Meta+Shift+ArrowUp', place(3, 'price'), [3, 'price'], [1, 'price']],
    ['Ctrl+Shift+ArrowRight', place(3, 'title'), [3, 'title'], [3, 'cost']],
    ['Ctrl+a', place(3, 'price'), [1, 'title'], [4, 'cost']],
  ];
  for (const [keys, from, first, last] of cases) {
    const { state, effects, pass } = pressed(keys, from);
    expect(state.marked, keys).toEqual({ first: cell(...first), last: cell(...last) });
    expect([pass, effects], keys).toEqual(['stops', [{ kind: 'show', cell: cell(...last) }]]);
    expect(state.focus, keys).toEqual({ ...cell(...first), on: 'cell', how: 'still' });
  }
  // The opposite corner goes on, the first one stays.
  const { state } = pressed(
    'Shift+ArrowLeft',
    place(2, 'cost'),
    {},
    markedFrom(cell(2, 'cost'), cell(4, 'cost')),
  );
  expect(state.marked).toEqual({ first: cell(2, 'cost'), last: cell(4, 'price') });
  expect(state.announcement).toBe('3 rows × 2 columns selected');
  const isIn = [cell(2, 'price'), cell(4, 'cost'), cell(1, 'price'), cell(2, 'title')].map((one) =>
    isMarked(state, one),
  );
  expect(isIn).toEqual([true, true, false, false]);
  expect([hasFillHandle(state, cell(4, 'cost')), hasFillHandle(state, cell(2, 'cost'))]).toEqual([
    true,
    false,
  ]);
  expect(pressed('Alt+Shift+ArrowDown', place(2, 'price')).state.marked).toBeNull();
});

test('keys change the marked cells, else the cell', () => {
  const marks = markedFrom(cell(2, 'price'), cell(3, 'cost'));
  const range = { rows: [2, 3], fields: ['price', 'cost'] as InlineField[] };
  const one = { rows: [2], fields: ['price'] as InlineField[] };
  const cases: [keys: string, more: Partial<GridState>, effects: GridEffect[], pass: string][] = [
    ['Ctrl+d', marks, [{ kind: 'fill', range, height: 1 }], 'stops'],
    ['Meta+d', {}, [{ kind: 'fill', range: one, height: 1 }], 'stops'],
    ['Delete', marks, [{ kind: 'clear', range }], 'stops'],
    ['Backspace', {}, [{ kind: 'clear', range: one }], 'stops'],
    ['Ctrl+Backspace', marks, [], 'on'],
    ['Escape', marks, [], 'stops'],
    ['Escape', {}, [], 'on'],
    // The events of the clipboard follow.
    ['Ctrl+c', marks, [], 'on'],
    ['Ctrl+x', marks, [], 'on'],
    ['Ctrl+v', marks, [], 'text'],
  ];
  for (const [keys, more, effects, pass] of cases) {
    const outcome = pressed(keys, place(2, 'price'), {}, more);
    expect([outcome.effects, outcome.pass], keys).toEqual([effects, pass]);
  }
  expect(pressed('Escape', place(2, 'price'), {}, marks).state).toMatchObject({
    marked: null,
    announcement: '',
  });
  // Not from a control of the cell.
  expect(pressed('Delete', place(2, 'price', 'control'), {}, marks).effects).toEqual([]);
  expect(findTargetRange(at(place(2, 'price'), marks))).toEqual(range);
  expect(findTargetRange(at(place(2, 'price', 'editor')))).toBeNull();
  expect(findTargetRange({ ...shown, ...marks })).toBeNull();
});

test('Enter and F2 edit the text of a cell, and what is typed or pasted replaces it', () => {
  const begin = (begun: EditStart): GridEffect[] => [{ kind: 'begin', cell: cell(2, 'price'), begun }];
  const cases: [KeyPress, part: GridPosition['part'], effects: GridEffect[], pass: string][] = [
    [press('Enter'), 'cell', begin('text'), 'stops'],
    [press('Shift+Enter'), 'cell', begin('text'), 'stops'],
    [press('F2'), 'cell', begin('text'), 'stops'],
    [press('Enter'), 'control', [], 'on'],
    [press('a'), 'cell', begin('over'), 'text'],
    [press('?'), 'cell', begin('over'), 'text'],
    [press('𝒳'), 'cell', begin('over'), 'text'],
    [press('p'), 'control', begin('over'), 'text'],
    [press(' '), 'cell', begin('over'), 'text'],
    [press(' '), 'control', [], 'on'],
    [press('Ctrl+v'), 'cell', begin('over'), 'text'],
    [press('Shift+Insert'), 'cell', begin('over'), 'text'],
    ...['Dead', 'Process', 'Unidentified'].map((key): [KeyPress, 'cell', GridEffect[], string] => [
      press(key),
      'cell',
      begin('over'),
      'text',
    ]),
    [press('Alt+å'), 'cell', begin('over'), 'text'],
    [press('Ctrl+Alt+€', { isAltGraph: true }), 'cell', begin('over'), 'text'],
    [press('Alt+a'), 'cell', [], 'on'],
    [press('Ctrl+k'), 'cell', [], 'on'],
    [press('Tab'), 'cell', [], 'on'],
  ];
  for (const [key, part, effects, pass] of cases) {
    const cursor = place(2, 'price', part);
    const outcome = handleKey(at(cursor), key, cursor, browsing);
    expect([outcome.effects, outcome.pass], `${key.key} in ${part}`).toEqual([effects, pass]);
  }
  // Rows that are locked or ignored keep the keys of the screen.
  for (const keys of ['a', 'Enter'])
    expect(pressed(keys, place(2, 'price'), { isEditable: false })).toMatchObject({
      effects: [],
      pass: 'on',
    });
  const edit = { field: 'price', begun: 'over', origin: 'price' } as const;
  const begun = after(shown, { kind: 'begins', row: 2, edit }).state;
  expect(begun).toMatchObject({
    cursor: place(2, 'price', 'editor'),
    focus: { ...cell(2, 'price'), on: 'editor', how: 'select' },
  });
});

test('keys in a field save it and go on, by how its edit has begun', () => {
  const save = (next: string) => [{ kind: 'save', row: 2, after: next }];
  const conflict = { edit: { isChanged: true, hasConflict: true } };
  const cases: [
    keys: string,
    EditStart,
    effects: unknown[],
    pass: string,
    focus: unknown,
    now?: Partial<KeyContext>,
  ][] = [
    ['Enter', 'problem', save('next'), 'on', null],
    ['Shift+Enter', 'problem', save('next'), 'on', null],
    ['ArrowDown', 'problem', [], 'on', null],
    ['Tab', 'problem', [], 'on', null],
    ['Tab', 'over', save('open'), 'on', null],
    ['Shift+Tab', 'text', save('open'), 'on', null],
    ['Enter', 'text', save('away'), 'stops', { ...cell(3, 'price'), on: 'editor-or-cell' }],
    ['Shift+Enter', 'over', save('away'), 'stops', { ...cell(1, 'price'), on: 'editor-or-cell' }],
    ['ArrowDown', 'over', save('away'), 'stops', { ...cell(3, 'price'), on: 'editor-or-cell' }],
    ['ArrowUp', 'over', save('away'), 'stops', { ...cell(1, 'price'), on: 'editor-or-cell' }],
    ['ArrowRight', 'over', save('open'), 'stops', { ...cell(2, 'cost'), on: 'editor', how: 'select' }],
    ['ArrowLeft', 'over', save('open'), 'stops', { ...cell(2, 'title'), on: 'editor', how: 'select' }],
    // The keys of a text stay in it.
    ['ArrowDown', 'text', [], 'on', null],
    ['ArrowLeft', 'text', [], 'on', null],
    ['Ctrl+ArrowLeft', 'over', [], 'on', null],
    ['Ctrl+Enter', 'over', [], 'on', null],
    ['Ctrl+a', 'over', [], 'on', null],
    ['Delete', 'over', [], 'on', null],
    ['Shift+ArrowDown', 'over', [], 'on', null],
    ['a', 'over', [], 'on', null],
    // Only Enter replaces the value of somebody else.
    ['Tab', 'over', [], 'on', null, conflict],
    ['ArrowDown', 'over', [], 'on', null, conflict],
    ['ArrowRight', 'over', [], 'on', null, conflict],
    ['Enter', 'over', save('away'), 'stops', { ...cell(3, 'price'), on: 'editor-or-cell' }, conflict],
    ['Escape', 'over', [{ kind: 'cancel', row: 2, field: 'price' }], 'on', null],
  ];
  for (const [keys, begun, effects, pass, focus, now] of cases) {
    const outcome = pressed(keys, place(2, 'price', 'editor'), { ...editing, ...now }, begunAs(2, begun));
    expect([outcome.effects, outcome.pass, outcome.state.focus], `${keys} ${begun}`).toEqual([
      ...[effects, pass, focus],
    ]);
  }
  const composing = handleKey(
    at(place(2, 'price', 'editor'), begunAs(2, 'over')),
    press('Enter', { isComposing: true }),
    place(2, 'price', 'editor'),
    editing,
  );
  expect([composing.effects, composing.pass]).toEqual([[], 'on']);
  // At the ends of the row, the field stays; on its buttons, Esc ends the whole edit.
  const left = pressed('ArrowLeft', place(2, 'title', 'editor'), editing, begunAs(2, 'over'));
  expect(left.state.focus).toEqual({ ...cell(2, 'title'), on: 'editor', how: 'select' });
  expect(pressed('Escape', place(2, null, 'control'), editing).effects).toEqual([
    { kind: 'cancel', row: 2, field: null },
  ]);
});

test('a row in which nothing is typed is left by Ctrl Z, and by keys that mark', () => {
  const untouched = { edit: { isChanged: false, hasConflict: false } };
  const editor = place(2, 'price', 'editor');
  const undo = pressed('Ctrl+z', editor, untouched, begunAs(2, 'over'));
  expect([undo.effects, undo.pass]).toEqual([[{ kind: 'leave', row: 2 }], 'on']);
  expect(pressed('Ctrl+z', editor, editing, begunAs(2, 'over')).effects).toEqual([]);
  const marks = pressed('Shift+ArrowDown', editor, untouched, begunAs(2, 'over'));
  expect(marks.state.marked).toEqual({ first: cell(2, 'price'), last: cell(3, 'price') });
  expect(marks.effects).toEqual([
    { kind: 'leave', row: 2 },
    { kind: 'show', cell: cell(3, 'price') },
  ]);
});

test('at the edge, a list of problems goes to the next one, others to the page beside, or stay', () => {
  const last = place(4, 'price', 'editor');
  const step = (keys: string, from: GridPosition, now: Partial<KeyContext>) =>
    pressed(keys, from, { ...editing, ...now }, begunAs(from.row, 'over')).effects;
  const save = (row: number, next: string) => ({ kind: 'save', row, after: next });
  expect(step('Enter', last, { isOfProblems: true, hasPage: () => true })).toEqual([save(4, 'next')]);
  expect(step('Enter', last, {})).toEqual([save(4, 'stay')]);
  expect(step('ArrowDown', last, { hasPage: (isDown) => isDown })).toEqual([
    { kind: 'page', isDown: true, field: 'price' },
    save(4, 'away'),
  ]);
  expect(step('ArrowUp', place(1, 'price', 'editor'), { hasPage: (isDown) => !isDown })).toEqual([
    { kind: 'page', isDown: false, field: 'price' },
    save(1, 'away'),
  ]);
  // Between rows, a list of problems goes to a wrong cell.
  const wrong = pressed(
    'Enter',
    place(2, 'price', 'editor'),
    { ...editing, fieldIn: () => 'title' },
    begunAs(2, 'over'),
  );
  expect(wrong.state.focus).toEqual({ ...cell(3, 'title'), on: 'editor-or-cell' });
  expect(pressed('ArrowDown', place(4, 'price'), { hasPage: () => true })).toMatchObject({
    ...{ effects: [{ kind: 'page', isDown: true, field: 'price' }], pass: 'stops' },
  });
});

test('keys are held while the next page loads, and its first cell gets them', () => {
  const step = { kind: 'page', field: 'price', isDown: true, from: 'page 1', presses: [] } as const;
  let { state } = after(at(place(4, 'price')), { kind: 'waits', for: step });
  for (const keys of ['0', '.', 'Enter']) {
    const held = handleKey(state, press(keys), null, browsing);
    expect([held.effects, held.pass]).toEqual([[], 'stops']);
    state = held.state;
  }
  expect(findPendingStep(state.pending, 'page')?.presses.map(readTypedChar)).toEqual(['0', '.', '']);
  const next = { ...layout, rows: [5, 6] };
  const arrived = after(state, { kind: 'layout', layout: next }, { kind: 'arrives' }).state;
  expect(arrived).toMatchObject({
    pending: null,
    cursor: place(5, 'price'),
    focus: { ...cell(5, 'price'), on: 'cell' },
  });
  const up = after(shown, { kind: 'waits', for: { ...step, isDown: false } }, { kind: 'arrives' });
  expect(up.state.cursor).toEqual(place(4, 'price'));
  expect(after(state, { kind: 'press' }).state.pending).toBeNull();
  expect([press('Enter'), press('Ctrl+c'), press('é')].map(readTypedChar)).toEqual(['', '', 'é']);
});

test('a step waits for its rows until another one begins, or something else', () => {
  const search = { kind: 'search' } as const;
  const edit = { kind: 'edit', row: 3, field: 'cost' } as const;
  const searching = after(shown, { kind: 'waits', for: search }).state;
  expect(searching.pending).toBe(search);
  // Other keys than those to a page are not held, and a press of nothing ends no step.
  const pressedOn = handleKey(searching, press('ArrowDown'), place(2, 'price'), browsing);
  expect([pressedOn.pass, pressedOn.state.pending]).toEqual(['stops', search]);
  expect(after(searching, { kind: 'press' }).state.pending).toBe(search);
  expect(after(searching, { kind: 'elsewhere' }).state.pending).toBeNull();
  expect(after(searching, { kind: 'arrives' }).state).toMatchObject({ pending: null, focus: null });
  const editing = after(searching, { kind: 'waits', for: edit }).state;
  expect(editing).toMatchObject({ pending: edit, problemRow: 3 });
  expect([findPendingStep(editing.pending, 'edit'), findPendingStep(editing.pending, 'search')]).toEqual([
    edit,
    null,
  ]);
  expect(after(editing, { kind: 'elsewhere' }).state.pending).toBe(edit);
  const begun = after(editing, { kind: 'arrives' }).state;
  expect(begun).toMatchObject({ pending: null, problemRow: 3 });
  expect(after(shown, { kind: 'elsewhere' }).state).toBe(shown);
});

test('a search without a result tells so until a press or another step', () => {
  const search = { kind: 'waits', for: { kind: 'search' } } as const;
  const ended = after(shown, search, { kind: 'ends', direction: 'next', at: '{}' }).state;
  expect(ended).toMatchObject({ pending: null, end: { direction: 'next', at: '{}' } });
  // A poll and a save that ends are no act of the operator.
  const moved: GridEvent = { kind: 'layout', layout: { ...layout, rows: [1, 2] } };
  expect(after(ended, moved, { kind: 'saved', row: 1 }).state.end).toEqual(ended.end);
  expect(after(ended, { kind: 'acts' }).state.end).toBeNull();
  expect(after(ended, search).state.end).toBeNull();
  expect(after(shown, { kind: 'acts' }).state).toBe(shown);
});

test('text stays in its row: if the row goes, the rest is dropped until a key or a press ends it', () => {
  const typed = pressed('a', place(2, 'price')).state;
  expect(typed.typingRow).toBe(2);
  const gone = after(typed, { kind: 'layout', layout: { ...layout, rows: [1, 3, 4] } }).state;
  expect(gone.cursor).toBeNull();
  const dropped = handleKey(gone, press('p'), null, browsing);
  expect([dropped.pass, dropped.effects]).toEqual(['stops', []]);
  expect(handleKey(gone, press('p'), place(3, 'price'), browsing).pass).toBe('stops');
  const ended = handleKey(gone, press('Enter'), null, browsing);
  expect([ended.pass, ended.state.typingRow]).toEqual(['on', null]);
});

test('a drag marks cells, and from the handle it fills the rows below', () => {
  const down = (
    row: number,
    field: InlineField,
    more: { isHandle?: boolean; isShift?: boolean } = {},
  ): GridEvent => ({
    ...{ kind: 'pointer-down', cell: cell(row, field), isHandle: false, isShift: false },
    ...more,
  });
  const over = (row: number, field: InlineField): GridEvent => ({
    kind: 'pointer-over',
    cell: cell(row, field),
  });
  const up: GridEvent = { kind: 'pointer-up' };
  const dragged = after(shown, down(2, 'price'), over(2, 'price'), over(3, 'cost'));
  expect(dragged.state.marked).toEqual({ first: cell(2, 'price'), last: cell(3, 'cost') });
  expect(dragged.state.drag?.hasMoved).toBe(true);
  expect(after(dragged.state, up)).toMatchObject({ state: { drag: null }, effects: [] });
  // A press ends the marks, and one that does not move marks nothing.
  expect(after(dragged.state, up, down(1, 'title'), over(1, 'title'), up).state.marked).toBeNull();
  // With Shift, from the cell that has the focus.
  const marked = after(at(place(2, 'price')), down(4, 'cost', { isShift: true })).state;
  expect(marked.marked).toEqual({ first: cell(2, 'price'), last: cell(4, 'cost') });
  expect(after(shown, down(4, 'cost', { isShift: true })).state.marked).toBeNull();

  const two = at(place(1, 'price'), markedFrom(cell(1, 'price'), cell(2, 'price')));
  const filled = after(two, down(2, 'price', { isHandle: true }), over(4, 'cost'));
  expect(filled.state.marked).toEqual({ first: cell(1, 'price'), last: cell(4, 'price') });
  const range = { rows: [1, 2, 3, 4], fields: ['price'] };
  expect(after(filled.state, up).effects).toEqual([{ kind: 'fill', range, height: 2 }]);
  // Not upwards, and not without a move.
  expect(after(two, down(2, 'price', { isHandle: true }), over(1, 'price'), up).effects).toEqual([]);
  expect(after(two, down(2, 'price', { isHandle: true }), up).effects).toEqual([]);
});

test('a click edits a cell, and a second one in its field is for the text', () => {
  const click = (at: GridPosition, isRowEdited = false, isTextSelected = false): GridEvent => ({
    ...{ kind: 'click', at, isRowEdited, isTextSelected },
  });
  const begin = [{ kind: 'begin', cell: cell(2, 'price'), begun: 'over' }];
  expect(after(shown, click(place(2, 'price'))).effects).toEqual(begin);
  expect(after(shown, click(place(2, 'price'), false, true)).effects).toEqual([]);
  expect(after(shown, click(place(2, 'title', 'control'))).effects).toEqual([]);
  expect(after(shown, click(place(2, null))).effects).toEqual([]);
  const edited = { ...shown, ...begunAs(2, 'over') };
  const editor = place(2, 'cost', 'editor');
  const second = after(edited, click(editor, true));
  expect([second.state.edits.get(2)?.begun, second.effects]).toEqual(['text', []]);
  const other = after({ ...second.state, isPressElsewhere: true }, click(editor, true));
  expect([other.state.edits.get(2)?.begun, other.effects]).toEqual(['over', [{ kind: 'select' }]]);
  const problem = after({ ...shown, ...begunAs(2, 'problem') }, click(editor, true));
  expect([problem.state.edits.get(2)?.begun, problem.effects]).toEqual(['problem', []]);
});

test('marks and the cursor stay while their cells are shown and the focus is on the first one', () => {
  const marked = at(place(2, 'price'), markedFrom(cell(2, 'price'), cell(3, 'cost')));
  const withLayout = (next: GridState['layout']) => after(marked, { kind: 'layout', layout: next }).state;
  expect(withLayout({ ...layout, rows: [...layout.rows] })).toBe(marked);
  // A poll may bring another row between them.
  const between = withLayout({ ...layout, rows: [1, 2, 7, 3] });
  expect(findTargetRange(between)?.rows).toEqual([2, 7, 3]);
  for (const next of [
    { ...layout, rows: [1, 2, 4] },
    { ...layout, columns: [null, 'title', 'price'] as const },
  ]) {
    expect(withLayout(next)).toMatchObject({ marked: null, cursor: place(2, 'price'), announcement: '' });
  }
  expect(withLayout({ ...layout, columns: ['title', 'cost'] })).toMatchObject({ marked: null, cursor: null });
  const focus = (to: GridPosition | null, isInside: boolean) =>
    after(marked, { kind: 'focus', at: to, isInside }).state;
  expect(focus(place(2, 'price'), true)).toBe(marked);
  expect(focus(place(3, 'price'), true)).toMatchObject({ marked: null, cursor: place(3, 'price') });
  // A press on the head ends them, a dialog does not.
  expect(focus(null, true).marked).toBeNull();
  expect(focus(null, false)).toMatchObject({ marked: marked.marked, cursor: null });
});

test('a row that is being saved keeps the saves that follow, and a failure until it is saved again', () => {
  const begin: GridEvent = { kind: 'saving', row: 2 };
  const saving = after(shown, begin, { ...begin, after: 'open' }, { ...begin, after: 'away' }).state;
  expect(saving.saving.get(2)).toEqual(['open', 'away']);
  expect(after(saving, { kind: 'saved', row: 2 }).state.saving.has(2)).toBe(false);
  const failed = after(saving, { kind: 'failed', row: 2, message: 'Offline', isOfEdit: true }).state;
  expect([failed.saving.has(2), failed.failures.get(2)]).toEqual([
    false,
    { message: 'Offline', isOfEdit: true },
  ]);
  expect(after(failed, begin).state.failures.has(2)).toBe(false);
  // A conflict is told by the edit, which keeps the values that differ.
  const conflicted = after(saving, { kind: 'failed', row: 2, message: null, isOfEdit: true }).state;
  expect([conflicted.saving.has(2), conflicted.failures.has(2)]).toEqual([false, false]);
});
