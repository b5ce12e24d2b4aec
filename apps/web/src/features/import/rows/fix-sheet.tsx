import type { Row } from '@draftshelf/contract/review/rows';
import { fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { type InlineField, lookOf } from '@draftshelf/domain/base/field-look';
import { Drawer, Group, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import {
  type FormEvent,
  type PointerEvent,
  type ReactNode,
  type TouchEvent,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { formatCount, joinWords } from '../../../lib/intl.ts';
import { ActionIcon, Button, SubtleButton } from '../../../ui/button.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import { problemsFirst } from '../cell-marks.ts';
import { useOpenProductOf } from '../product/product-buttons.tsx';
import { requestOf } from './row-edit.ts';
import { EditFailure } from './row-notes.tsx';
import classes from './rows.module.css';
import { type RowEntry, useRowsReview } from './rows-review.ts';
import { type InlineEdit, useInlineEdit } from './use-inline-edit.ts';
import type { Direction } from './use-problems.ts';

type FixSheetProps = {
  entry: RowEntry;
  opened: boolean;
  /** The next row is on another page, which is loading. */
  isWaiting: boolean;
  onClose: () => void;
};

/** Fixes a row on a phone. It stays from problem to problem, so that the keyboard does too. */
export function FixSheet({ entry, opened, isWaiting, onClose }: FixSheetProps) {
  const { row, groupTitle } = entry;
  const { drafts, problems } = useRowsReview();
  const { end } = problems;
  const editing = useInlineEdit(entry);
  const openAll = useOpenProductOf(row);
  const covered = useSyncExternalStore(onViewChange, coveredPx);
  useCardFocus(opened, row.row);
  /** Ends an edit without changes; another one stays. */
  const release = () => {
    const edit = drafts.of(row);
    if (edit !== null && requestOf(edit) === null) editing.leave();
  };
  const go = async (direction: Direction) => {
    if (await problems.go(direction, row.row)) release();
  };
  const close = () => {
    release();
    onClose();
  };
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="bottom"
      returnFocus={false}
      // A phone opens its keyboard only for a field that is there when the tap ends.
      transitionProps={{ duration: 0 }}
      title={row.values.title || groupTitle || 'Row without a title'}
      classNames={{ title: `strong break-words ${classes.sheetTitle} clamp` }}
      // As high as its content: Mantine knows no such size.
      styles={{ inner: { paddingBottom: covered }, content: { height: 'auto', maxHeight: '90dvh' } }}
    >
      <Sentences row={row} field={editing.field} />
      <Field editing={editing} row={row.row} isWaiting={isWaiting} onGo={(direction) => void go(direction)}>
        <BodyText role="status" className={end === null ? 'visually-hidden' : undefined}>
          {end !== null && `There is no ${end} row with a problem.`}
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
      </Field>
    </Drawer>
  );
}

function useCardFocus(opened: boolean, row: number): void {
  const wasOpened = useRef(opened);
  useEffect(() => {
    if (wasOpened.current && !opened) focusCard(row);
    wasOpened.current = opened;
  }, [opened, row]);
}

function focusCard(row: number): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[data-row="${row}"] [data-card]`)?.focus({ preventScroll: true });
}

function Sentences({ row, field }: { row: Row; field: InlineField }) {
  const issues = problemsFirst(row.issues);
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

/** Keeps the focus in the field, and so the keyboard. */
const keepFocus = (event: PointerEvent) => event.preventDefault();

type FieldProps = {
  editing: InlineEdit;
  row: number;
  isWaiting: boolean;
  onGo: (direction: Direction) => void;
  children: ReactNode;
};

function Field({ editing, row, isWaiting, onGo, children }: FieldProps) {
  const { field, draft } = editing;
  const isBusy = isWaiting || editing.saving;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) editing.saveAndGoOn();
  };
  const swipe = useSwipe((direction) => !isBusy && onGo(direction));
  const step = (direction: Direction, Icon: typeof IconChevronLeft) => (
    <ActionIcon
      variant="default"
      size={44}
      aria-label={direction === 'next' ? 'Next problem' : 'Previous problem'}
      onPointerDown={keepFocus}
      onClick={() => !isBusy && onGo(direction)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <form
      ref={(element) => {
        editing.element.current = element;
      }}
      className={`stack ${classes.sheetForm} gap-sm`}
      onSubmit={submit}
      {...swipe}
    >
      <TextInput
        label={fieldSpecs[field].label}
        aria-label={`${fieldSpecs[field].label} of row ${row}`}
        size="lg"
        data-autofocus
        data-field={field}
        inputMode={lookOf(field).keyboard ?? 'text'}
        enterKeyHint="next"
        autoComplete="off"
        value={draft?.[field] ?? ''}
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
      {children}
    </form>
  );
}

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
      const direction = swipeOf(start.current, pointOf(event));
      if (direction !== null) onSwipe(direction);
    },
  };
}

/** The height that the keyboard covers, where the browser does not make the page smaller. */
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

/** Shorter movements are taps. */
const swipePxMin = 60;
/** A swipe is this many times as wide as it is high; else the finger scrolls. */
const swipeSlopeMin = 2;

/** Turns problems like pages; null: no swipe. */
export function swipeOf(from: Point | null, to: Point | null): Direction | null {
  if (from === null || to === null) return null;
  const [right, down] = [to.x - from.x, to.y - from.y];
  if (Math.abs(right) < swipePxMin || Math.abs(right) < swipeSlopeMin * Math.abs(down)) return null;
  return right < 0 ? 'next' : 'previous';
}
