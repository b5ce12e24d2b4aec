import type { Row } from '@draftshelf/contract/review/rows';
import { labelOf } from '@draftshelf/domain/base/canonical-fields';
import { columnHeading, displayOf, type InlineField } from '@draftshelf/domain/base/field-look';
import { Drawer, Group, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import {
  type FormEvent,
  type PointerEvent,
  type TouchEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { formatCount, joinWords } from '../../../lib/intl.ts';
import { BodyText, Button, IconButton, QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { findWrongField, sortProblemsFirst } from '../cell-marks.ts';
import { ProductRowsButton, toOpenerAttributes, useOpenProduct } from '../product/product-buttons.tsx';
import { FieldValue } from './field-value.tsx';
import { type Direction, findPendingStep } from './grid-state.ts';
import { useGridState } from './grid-store.ts';
import { ImageCell } from './image-cell.tsx';
import { toRowRequest } from './row-edit.ts';
import { EditFailure, hasOutcome, RowClassMark, RowNotes, RowOutcome, ScannerLink } from './row-notes.tsx';
import classes from './row-table.module.css';
import rowsClasses from './rows.module.css';
import { type RowEntry, useRowsReview } from './rows-review.ts';
import { CardSort } from './sort-state.tsx';
import { type Grid, useInlineEdit } from './use-grid.ts';
import { noMoreProblemsWords } from './use-problems.ts';

const factFields = ['price', 'quantity', 'vendor', 'upc'] as const satisfies readonly InlineField[];

export function RowCards({ grid, entries }: { grid: Grid; entries: readonly RowEntry[] }) {
  const { ticks } = useRowsReview();
  const sheet = useSheet(entries);
  return (
    <>
      <ul className="stack list gap-6" aria-label="Product rows">
        {entries.map((entry) => (
          <ProductCard key={entry.row.row} entry={entry} />
        ))}
      </ul>
      <CardSort />
      {ticks.rows.size > 0 && (
        <div className={`${classes.pageTick} row size-sm gap-0`}>
          <PageTick />
          <span aria-hidden>All rows of this page</span>
        </div>
      )}
      {sheet.entry !== null && <FixSheet {...{ ...sheet, grid }} entry={sheet.entry} />}
    </>
  );
}

/** The sheet that edits a row on a phone. It is open at first if the window became narrow during an edit. */
function useSheet(entries: readonly RowEntry[]) {
  const { drafts, problems, store, isLoading } = useRowsReview();
  const step = useGridState(store, ({ pending }) => findPendingStep(pending, 'edit'));
  const target = isLoading ? undefined : entries.find(({ row }) => row.row === step?.row);
  const [last, setLast] = useState(() => entries.find(({ row }) => drafts.of(row) !== null) ?? null);
  const [opened, setOpened] = useState(last !== null);
  const onPage = target ?? entries.find(({ row }) => row.row === last?.row.row);
  if (onPage !== undefined && onPage !== last) setLast(onPage);
  if (target !== undefined && !opened) setOpened(true);
  const isSaved = target === undefined && onPage !== undefined && drafts.of(onPage.row) === null;
  if (opened && isSaved && problems.end !== null) setOpened(false);
  return {
    /** The row in the sheet. While another page loads, this is still the previous row. */
    entry: onPage ?? last,
    /** True while the page with the next row loads. */
    isWaiting: onPage === undefined,
    opened,
    onClose: () => setOpened(false),
  };
}

function ProductCard({ entry }: { entry: RowEntry }) {
  const { row, groupTitle, isFixed } = entry;
  const edit = useRowsReview().drafts.of(row);
  const isUnsaved = edit !== null && toRowRequest(edit) !== null;
  return (
    <li
      className={`panel stack ${classes.card} gap-tight relative`}
      data-row={row.row}
      data-ignored={row.ignored !== null || undefined}
    >
      <CardTarget {...{ row, isUnsaved }} />
      <div className={`row ${classes.cardHead} top`}>
        <RowTick row={row} />
        <ImageCell key={row.values.image ?? ''} row={row} />
        <div className="grow">
          <div className={`strong ${classes.cardTitle}`}>
            <FieldValue row={row} field="title" inherited={groupTitle} undoEdit={null} />
          </div>
          <CardFacts row={row} />
        </div>
        <RowClassMark row={row} isFixed={isFixed} />
      </div>
      <RowNotes entry={entry} />
      {isUnsaved && <span className="warning size-xs">Not saved</span>}
      {(hasOutcome(row) || row.ofProduct !== null) && (
        <div className="row-wrap gap-x-xs between">
          <RowOutcome row={row} />
          <ProductRowsButton row={row} roomy />
        </div>
      )}
    </li>
  );
}

/** A button over the card. A tap edits the row's first wrong field, or opens all fields if none is wrong. */
function CardTarget({ row, isUnsaved }: { row: Row; isUnsaved: boolean }) {
  const { lock, problems } = useRowsReview();
  const open = useOpenProduct(row);
  const field = lock === null ? findWrongField(row) : null;
  if (open === null) return null;
  return (
    <button
      type="button"
      className={`${classes.cardTarget} cover`}
      aria-label={`Edit row ${row.row}`}
      data-card
      {...toOpenerAttributes('dialog', row.row)}
      onClick={() => {
        if (field === null && !isUnsaved) open();
        else problems.edit({ row: row.row, field: field ?? 'title' });
      }}
    />
  );
}

function CardFacts({ row }: { row: Row }) {
  const fields = factFields.filter((field) => field === 'price' || row.values[field]);
  return (
    <dl className={`row-wrap flush ${classes.cardFacts} gap-x-xs size-sm`}>
      <div>
        <dt>Row</dt>
        <dd className="numbers">{formatCount(row.row)}</dd>
      </div>
      {row.scanned && (
        <div>
          <dt>From</dt>
          <dd>
            <ScannerLink row={row} />
          </dd>
        </div>
      )}
      {fields.map((field) => (
        <div key={field} data-field={field}>
          <dt className={field === 'quantity' ? undefined : 'visually-hidden'}>{columnHeading(field)}</dt>
          <dd className="numbers">
            <FieldValue row={row} field={field} inherited={null} undoEdit={null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The checkbox of a row. A click with Shift also ticks the rows since the last click. */
export function RowTick({ row: { row, ignored } }: { row: Row }) {
  const { ticks } = useRowsReview();
  const stop = useTabStop();
  if (ignored !== null) return null;
  return (
    <label className={`${classes.tickBox} center-grid`}>
      <input
        {...stop}
        type="checkbox"
        aria-label={`Tick row ${formatCount(row)}`}
        checked={ticks.rows.has(row)}
        // Handles the click, because a change event does not contain the Shift key.
        onClick={({ currentTarget, shiftKey }) =>
          ticks.click({ row, isOn: currentTarget.checked, isRange: shiftKey })
        }
        onChange={() => {}}
      />
    </label>
  );
}

export function PageTick() {
  const { ticks } = useRowsReview();
  return (
    <label className={`${classes.tickBox} center-grid`}>
      <input
        {...useTabStop()}
        type="checkbox"
        aria-label="Tick all rows of this page"
        checked={ticks.ofPage === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = ticks.ofPage === 'some';
        }}
        onChange={({ currentTarget }) => ticks.clickPage(currentTarget.checked)}
      />
    </label>
  );
}

type FixSheetProps = ReturnType<typeof useSheet> & { grid: Grid; entry: RowEntry };

/** The sheet to fix a row on a phone. It stays open from problem to problem, so that the keyboard stays open, too. */
function FixSheet({ grid, entry, opened, isWaiting, onClose }: FixSheetProps) {
  const { row, groupTitle } = entry;
  const { drafts, page, problems, store } = useRowsReview();
  const { end } = problems;
  const editing = useInlineEdit(grid, entry);
  const openAll = useOpenProduct(row);
  const covered = useSyncExternalStore(onViewChange, coveredPx);
  const wasOpened = useRef(opened);
  useEffect(() => {
    if (wasOpened.current && !opened) focusCard(row.row);
    wasOpened.current = opened;
  }, [opened, row.row]);
  const { field, draft } = editing;
  const isBusy = isWaiting || editing.saving;
  /** Ends the edit if nothing was changed. Otherwise the edit stays. */
  const release = () => {
    const edit = drafts.of(row);
    if (edit !== null && toRowRequest(edit) === null) editing.leave();
  };
  const go = async (direction: Direction) => {
    if (await problems.go(direction, row.row)) release();
  };
  const close = () => {
    store.send({ kind: 'elsewhere' });
    release();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (draft === null) void go('next');
    else editing.saveAndGoOn();
  };
  const swipe = useSwipe((direction) => !isBusy && void go(direction));
  const step = (direction: Direction, Icon: typeof IconChevronLeft) => (
    <IconButton
      icon={Icon}
      iconSize={18}
      variant="default"
      size={44}
      label={direction === 'next' ? 'Next problem' : 'Previous problem'}
      onPointerDown={keepFocus}
      onClick={() => !isBusy && void go(direction)}
    />
  );
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="bottom"
      returnFocus={false}
      // Without a transition, because a phone opens its keyboard only if the field exists when the tap ends.
      transitionProps={{ duration: 0 }}
      title={row.values.title || groupTitle || 'Row without a title'}
      classNames={{ title: `strong break-words ${rowsClasses.sheetTitle} clamp` }}
      // Mantine has no size that follows the height of the content.
      styles={{ inner: { paddingBottom: covered }, content: { height: 'auto', maxHeight: '90dvh' } }}
    >
      <Sentences {...{ row, field }} />
      <form
        data-sheet={row.row}
        className={`stack ${rowsClasses.sheetForm} gap-sm`}
        onSubmit={submit}
        {...swipe}
      >
        <TextInput
          label={labelOf(field)}
          aria-label={`${labelOf(field)} of row ${row.row}`}
          size="lg"
          data-autofocus
          data-field={field}
          inputMode={displayOf(field).keyboard ?? 'text'}
          enterKeyHint="next"
          autoComplete="off"
          value={draft?.[field] ?? row.values[field] ?? ''}
          readOnly={draft === null || isBusy}
          onChange={(event) =>
            draft !== null && editing.setDraft({ ...draft, [field]: event.currentTarget.value })
          }
        />
        <EditFailure editing={editing} />
        <Group gap="xs" wrap="nowrap">
          {step('previous', IconChevronLeft)}
          <Button type="submit" flex={1} h={44} loading={isBusy} onPointerDown={keepFocus}>
            Save & Next
          </Button>
          {step('next', IconChevronRight)}
        </Group>
        <BodyText role="status" className={end === null ? 'visually-hidden' : undefined}>
          {end !== null && noMoreProblemsWords(end, page.facets.needsYou)}
        </BodyText>
        <SubtleButton
          aria-label={`Edit all fields of row ${row.row}`}
          onClick={() => {
            close();
            openAll?.();
          }}
        >
          All Fields
        </SubtleButton>
      </form>
    </Drawer>
  );
}

function focusCard(row: number): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[data-row="${row}"] [data-card]`)?.focus({ preventScroll: true });
}

function Sentences({ row, field }: { row: Row; field: InlineField }) {
  const issues = sortProblemsFirst(row.issues);
  const sorted = [
    ...issues.filter((issue) => issue.field === field),
    ...issues.filter((issue) => issue.field !== field),
  ];
  return (
    <div className="stack gap-hair" style={{ marginBottom: 'var(--mantine-spacing-xs)' }}>
      <QuietText className="numbers">
        {joinWords([`Row ${formatCount(row.row)}`, row.values.vendor ?? '', row.values.sku ?? ''])}
      </QuietText>
      {sorted.map(({ code, field: about, message }) => (
        <BodyText key={`${code} ${about ?? ''}`} c={about === field ? undefined : 'dimmed'}>
          {message}
        </BodyText>
      ))}
    </div>
  );
}

/** Keeps the focus in the field, so that the keyboard stays open. */
const keepFocus = (event: PointerEvent) => event.preventDefault();

function useSwipe(onSwipe: (direction: Direction) => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const pointOf = ({ changedTouches }: TouchEvent) => {
    const touch = changedTouches[0];
    return touch === undefined ? null : { x: touch.clientX, y: touch.clientY };
  };
  return {
    onTouchStart: (event: TouchEvent) => {
      start.current = pointOf(event);
    },
    onTouchEnd: (event: TouchEvent) => {
      const direction = readSwipe(start.current, pointOf(event));
      if (direction !== null) onSwipe(direction);
    },
  };
}

/** The height covered by the keyboard in browsers that do not shrink the page for it. */
function coveredPx(): number {
  const view = window.visualViewport;
  return view === null ? 0 : Math.max(0, Math.round(window.innerHeight - view.height - view.offsetTop));
}

function onViewChange(changed: () => void): () => void {
  const unsubscribing = new AbortController();
  window.visualViewport?.addEventListener('resize', changed, unsubscribing);
  window.visualViewport?.addEventListener('scroll', changed, unsubscribing);
  return () => unsubscribing.abort();
}

type Point = { x: number; y: number };

/** Minimum movement of a swipe in pixels. A shorter movement is a tap. */
const swipePxMin = 60;
/** Minimum ratio of width to height of a swipe. A steeper movement scrolls. */
const swipeSlopeMin = 2;

/** Returns whether a swipe goes to the next or previous problem, or null if the movement is not a swipe. */
export function readSwipe(from: Point | null, to: Point | null): Direction | null {
  if (from === null || to === null) return null;
  const [right, down] = [to.x - from.x, to.y - from.y];
  if (Math.abs(right) < swipePxMin || Math.abs(right) < swipeSlopeMin * Math.abs(down)) return null;
  return right < 0 ? 'next' : 'previous';
}
