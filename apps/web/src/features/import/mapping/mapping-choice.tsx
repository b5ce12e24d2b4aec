import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { isRequired } from '@draftshelf/domain/base/canonical-fields';
import { Combobox, Popover, TextInput, useCombobox } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, type Ref, useImperativeHandle, useState } from 'react';
import { flushSync } from 'react-dom';
import { BodyText, QuietText, SmallText } from '../../../ui/basics.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { type ChoiceOption, type ChoiceTarget, createChoiceGroups, filterGroups } from './choice-options.ts';
import classes from './mapping.module.css';
import { useMetafields } from './mapping-api.ts';
import type { OpenedChoice } from './mapping-chip.tsx';
import type { MappingDraft } from './mapping-draft.ts';
import { describeCertainty, fieldLabel, profileWords } from './mapping-words.ts';

type MappingChoiceProps = {
  open: OpenedChoice | null;
  columns: readonly MappedColumn[] | undefined;
  reads?: ComponentProps<typeof ReadFailure>['reads'];
  note: string;
  /** Called after the focus has returned to the chip. */
  onPick: (draft: MappingDraft, open: OpenedChoice) => void;
  onClose: () => void;
};

const widthPx = 340;

export function MappingChoice({ open, onPick, onClose, ...content }: MappingChoiceProps) {
  const close = () => {
    open?.anchor.focus({ preventScroll: true });
    onClose();
  };
  return (
    <Popover
      opened={open !== null}
      onChange={(opened) => !opened && onClose()}
      position="bottom-start"
      offset={4}
      width={widthPx}
      trapFocus
      withRoles={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      shadow="md"
    >
      <Popover.Target>
        <Anchor element={open?.anchor ?? null} />
      </Popover.Target>
      {open !== null && (
        <Popover.Dropdown
          // Changes when the columns are loaded, so that the dialog is mounted again and focuses its search field.
          key={content.columns === undefined ? 'loading' : open.key}
          role="dialog"
          tabIndex={-1}
          aria-label={titleOf(open.target)}
          className={`stack ${classes.choice} pad-sm`}
          // Keys of the dialog must not reach the key handlers of the table below or of the page.
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
            event.stopPropagation();
          }}
        >
          <Content
            target={open.target}
            {...content}
            onPick={(draft) => {
              close();
              if (draft !== null) onPick(draft, open);
            }}
          />
        </Popover.Dropdown>
      )}
    </Popover>
  );
}

/** Makes an existing element the popover's target. */
function Anchor({ element, ref }: { element: HTMLElement | null; ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element, [element]);
  return null;
}

const titleOf = (target: ChoiceTarget) =>
  'field' in target ? `Column for ${fieldLabel(target.field)}` : `Field of ${target.header}`;

type ContentProps = Pick<MappingChoiceProps, 'columns' | 'reads' | 'note'> & {
  target: ChoiceTarget;
  onPick: (draft: MappingDraft | null) => void;
};

function Content({ target, columns, reads = [], note, onPick }: ContentProps) {
  if (columns === undefined) {
    if (reads.some(({ isError }) => isError)) return <ReadFailure what="the mapping" reads={reads} />;
    return <BodyText>Loading the columns…</BodyText>;
  }
  return (
    <>
      {'field' in target ? (
        <BodyText>
          <strong>{titleOf(target)}</strong>
          {isRequired(target.field) && (
            <SmallText component="span" ml={6}>
              required
            </SmallText>
          )}
        </BodyText>
      ) : (
        <ColumnHead column={columns.find(({ header }) => header === target.header)} />
      )}
      <Options columns={columns} target={target} onPick={onPick} />
      <SmallText>{note}</SmallText>
    </>
  );
}

function ColumnHead({ column }: { column: MappedColumn | undefined }) {
  if (column === undefined) return null;
  const { header, field, profile, reason, samples } = column;
  return (
    <div className="stack gap-tight">
      <strong className="break-words" dir="auto">
        {header}
      </strong>
      <Samples values={samples} />
      <ProfileLine profile={profile} />
      {field !== null && (
        <SmallText>
          {[`${fieldLabel(field)}: ${describeCertainty({ ...column, isChanged: false })}`, reason]
            .filter(Boolean)
            .join(' · ')}
        </SmallText>
      )}
    </div>
  );
}

type OptionsProps = Pick<ContentProps, 'target' | 'onPick'> & { columns: readonly MappedColumn[] };

function Options({ columns, target, onPick }: OptionsProps) {
  const [search, setSearch] = useState('');
  const store = useCombobox({ opened: true });
  const listId = useId();
  const groups = createChoiceGroups(columns, target, useMetafields()?.metafields);
  const shownGroups = filterGroups(groups, search);
  const shownOptions = shownGroups.flatMap(({ options }) => options);
  const noun = 'field' in target ? 'column' : 'field';
  const find = (words: string) => {
    // Renders the found options before the first of them is selected.
    flushSync(() => setSearch(words));
    if (words !== '') store.selectFirstOption();
  };
  return (
    <Combobox
      store={store}
      size="xs"
      onOptionSubmit={(key) => {
        const option = shownOptions.find(({ key: own }) => own === key);
        if (option !== undefined) onPick(option.draft);
      }}
    >
      {/* Set here, because the library sets `aria-controls` only after the second render. */}
      <Combobox.EventsTarget withExpandedAttribute aria-controls={listId} aria-expanded>
        <TextInput
          ref={focusAtOnce}
          data-autofocus
          aria-label={`Search ${noun}s`}
          placeholder={`Search ${noun}s…`}
          value={search}
          onChange={(event) => find(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={listId} className={classes.options ?? ''} aria-label={titleOf(target)}>
        {shownGroups.map(({ label, options }) => (
          <Combobox.Group key={label} label={label}>
            {options.map((option) => (
              <Option key={option.key} option={option} />
            ))}
          </Combobox.Group>
        ))}
        {shownGroups.length === 0 && <Combobox.Empty>{`No such ${noun}`}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  );
}

/** Focuses without the library's timer, which would lose text that is typed right after Enter on a chip. */
const focusAtOnce = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true });

function Option({ option }: { option: ChoiceOption }): ReactNode {
  const isCurrent = option.draft === null;
  return (
    <Combobox.Option value={option.key} active={isCurrent} aria-selected={isCurrent}>
      <div className={`row-wrap break-words ${classes.option} gap-x-xs`}>
        <span dir="auto">{option.label}</span>
        {isCurrent && <IconCheck size={14} aria-hidden />}
        {option.note !== '' && (
          <SmallText component="span" dir="auto" className="whole-line">
            {option.note}
          </SmallText>
        )}
      </div>
    </Combobox.Option>
  );
}

export function Samples({ values }: { values: readonly string[] }) {
  if (values.length === 0) return <QuietText>No values in the first rows</QuietText>;
  return (
    <ul className={`list row-wrap ${classes.samples} gap-tight size-xs`} aria-label="Sample values">
      {values.map((value) => (
        <li key={value} className="ellipsis" dir="auto" title={value}>
          {value}
        </li>
      ))}
    </ul>
  );
}

const heightPx = 24;
const barPx = 4;
/** Minimum height, so that every amount is visible. */
const amountPxMin = 2;

/**
 * Shows three level bars (filled, numbers, different values), or a histogram if the column has amounts. Does not use
 * the chart components, because the page of an import loads them later.
 */
export function ColumnProfile({ profile }: { profile: MappedColumn['profile'] }) {
  if (profile === null) return null;
  const { filled, numeric, distinct, amounts } = profile;
  const bars = amounts ?? [];
  const most = Math.max(...bars);
  const heights = bars.map((count) => (count === 0 ? 0 : Math.max(amountPxMin, (heightPx * count) / most)));
  const slot = 100 / Math.max(1, bars.length);
  const levels = [
    { kind: 'idle', share: filled },
    { kind: 'read', share: filled * numeric },
    { kind: 'found', share: filled * distinct },
  ];
  return (
    <span className={`${classes.drawn} at-most-full`} title={profileWords(profile)}>
      <svg height={heightPx} aria-hidden>
        {bars.length > 0
          ? heights.map((height, at) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
                key={at}
                data-kind="level"
                x={`${at * slot}%`}
                width={`${slot * 0.84}%`}
                y={heightPx - height}
                height={height}
              />
            ))
          : levels.map(({ kind, share }, at) => (
              <g key={kind}>
                <rect className={classes.track} width="100%" y={at * 9 + 1} height={barPx} rx={1} />
                <rect data-kind={kind} width={`${100 * share}%`} y={at * 9 + 1} height={barPx} rx={1} />
              </g>
            ))}
      </svg>
    </span>
  );
}

export const ProfileLine = ({ profile }: { profile: MappedColumn['profile'] }) =>
  profile === null ? null : (
    <div className="row">
      <ColumnProfile profile={profile} />
      <SmallText component="span" className="numbers">
        {profileWords(profile)}
      </SmallText>
    </div>
  );
