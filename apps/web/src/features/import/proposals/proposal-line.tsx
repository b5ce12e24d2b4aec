import { Checkbox, Textarea } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { BodyText, QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { HintedButton, PlainHintedButton } from '../../../ui/hint.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { fieldLabel } from '../mapping/mapping-words.ts';
import {
  dismissAriaLabel,
  dismissLabel,
  findQuotedText,
  type HeldProposal,
  type ProposalAction,
  type ProposalSelection,
  proposalReasonWords,
  rowFieldWords,
} from './proposal-words.ts';
import classes from './proposals.module.css';
import type { ProposalDecisions, RunningAction } from './use-decisions.ts';
import { wordDiff } from './word-diff.ts';

type ProposalLineProps = {
  proposal: HeldProposal;
  decisions: ProposalDecisions;
  select: ProposalSelection;
  /** The reason why values cannot be accepted, or null if they can. */
  locked: string | null;
};

/** A line of the list. It stays in place after its proposal has been decided. */
export function ProposalLine(props: ProposalLineProps) {
  const { proposal, decisions, select } = props;
  const { id } = proposal;
  const what = rowFieldWords(proposal);
  const isOpen = proposal.isOpen && decisions.decisionOf(id) === null;
  return (
    <li className={`row-wrap ${classes.line} top pad-y-xs line-above`} data-decided={!isOpen || undefined}>
      <Checkbox
        className={`${classes.box} rigid`}
        aria-label={`Select the ${what}`}
        checked={select.has(id) && isOpen}
        disabled={!isOpen}
        onChange={({ currentTarget, nativeEvent }) =>
          select.set(id, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
      {proposal.field === 'image' && (
        <Picture className={`${classes.picture} rigid`} src={proposal.value} fallback={null} />
      )}
      <ProposalText proposal={proposal} />
      <LineActions {...props} />
    </li>
  );
}

/** A value with more characters is collapsed by default. */
const foldedCharsMin = 400;

function ProposalText({ proposal }: { proposal: HeldProposal }) {
  const { row, title, field, before, value } = proposal;
  const quoted = findQuotedText(proposal);
  const isLong = value.length + (before?.length ?? 0) > foldedCharsMin;
  const [isWhole, setWhole] = useState(!isLong);
  return (
    <div className={`break-words ${classes.words}`}>
      <BodyText fw={550} dir="auto">
        Row {formatCount(row)}: {title ?? 'no title'}
      </BodyText>
      <BodyText dir="auto" {...(isWhole ? {} : { lineClamp: 4 })}>
        {fieldLabel(field)}: {isWhole ? <TextDiff before={before} after={value} /> : value}
      </BodyText>
      {isLong && (
        <SubtleButton size="compact-xs" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show Less' : 'Show All'}
        </SubtleButton>
      )}
      {quoted !== null && (
        <blockquote className={`quiet ${classes.evidence}`} dir="auto">
          <q>{quoted}</q>
        </blockquote>
      )}
      <QuietText>
        {proposalReasonWords(proposal)}
        {proposal.changed && proposal.isOpen && changedWords}
      </QuietText>
    </div>
  );
}

const changedWords =
  ' The value has changed since this proposal. If you accept several proposals, this one is skipped.';

function LineActions({ proposal, decisions, locked }: ProposalLineProps) {
  const decision = decisions.decisionOf(proposal.id);
  const running = decisions.runningOf(proposal.id);
  const decide = (action: ProposalAction, value?: string) => decisions.decideOne(proposal, action, value);
  const [isChanging, setChanging] = useState(false);
  const id = `decision-${proposal.id}`;
  const around = {
    id,
    className: `row-wrap ${classes.actions} gap-xs`,
    tabIndex: -1,
    // Focuses the first button of the line or, if it has none, the line.
    'data-focus-next': `#${id} button, #${id}:not(:has(button))`,
  };
  const what = rowFieldWords(proposal);
  const waits = running === null ? null : 'Saving…';
  if (!proposal.isOpen || decision !== null) {
    return (
      <div {...around}>
        <DecidedState {...{ proposal, decisions }} />
      </div>
    );
  }
  if (isChanging) {
    return (
      <div {...around}>
        <ChangeForm
          {...{ proposal, locked, running, waits }}
          onClose={() => setChanging(false)}
          onAccept={async (value) => {
            if (await decide('take', value)) setChanging(false);
          }}
        />
      </div>
    );
  }
  return (
    <div {...around}>
      <PlainHintedButton
        reason={running === 'take' ? null : (locked ?? waits)}
        loading={running === 'take'}
        aria-label={`Accept the ${what}`}
        onClick={() => void decide('take')}
      >
        Accept
      </PlainHintedButton>
      <HintedButton
        size="compact-md"
        variant="subtle"
        reason={locked ?? waits}
        aria-label={`Change the ${what} before accepting it`}
        onClick={() => setChanging(true)}
      >
        Change
      </HintedButton>
      <HintedButton
        size="compact-md"
        variant="subtle"
        color="gray"
        reason={running === 'dismiss' ? null : waits}
        loading={running === 'dismiss'}
        aria-label={dismissAriaLabel(proposal.sourceName, what)}
        onClick={() => void decide('dismiss')}
      >
        {dismissLabel(proposal.sourceName)}
      </HintedButton>
    </div>
  );
}

const decidedWords = { take: 'Accepted', dismiss: 'Dismissed', withdraw: 'Another value was accepted' };

function DecidedState({ proposal, decisions }: Pick<ProposalLineProps, 'proposal' | 'decisions'>) {
  const decision = decisions.decisionOf(proposal.id);
  const running = decisions.runningOf(proposal.id);
  if (decision === null) return <QuietText>Decided</QuietText>;
  const { action, command, isBulk } = decision;
  const Icon = action === 'take' ? IconCheck : IconX;
  return (
    <>
      <BodyText className="inline-flex gap-tight center">
        <Icon size={16} aria-hidden /> {decidedWords[action]}
      </BodyText>
      {(command !== null || running !== null) && !isBulk && action !== 'withdraw' && (
        <SubtleButton
          size="compact-md"
          busy={running !== null}
          aria-label={`Undo the decision about the ${rowFieldWords(proposal)}`}
          onClick={() => command !== null && void decisions.undo(command, proposal.id)}
        >
          Undo
        </SubtleButton>
      )}
    </>
  );
}

type ChangeFormProps = Pick<ProposalLineProps, 'proposal' | 'locked'> & {
  running: RunningAction | null;
  waits: string | null;
  onClose: () => void;
  onAccept: (value: string) => void;
};

/** Esc closes the form. Ctrl or Cmd with Enter accepts the text. The form stays until the text has been accepted. */
function ChangeForm({ proposal, locked, running, waits, onClose, onAccept }: ChangeFormProps) {
  const [value, setValue] = useState(proposal.value);
  const problem = value.trim() === '' ? 'Enter a value, or dismiss the proposal.' : null;
  const reason = locked ?? problem ?? (running === 'take' ? null : waits);
  const accept = () => {
    if (reason === null && running === null) onAccept(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Keeps Esc from closing the details, too.
      event.stopPropagation();
      if (running === null) onClose();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) accept();
  };
  return (
    <div className={`row-wrap ${classes.change} gap-xs`}>
      <Textarea
        label={`New ${rowFieldWords(proposal)}`}
        value={value}
        error={problem}
        autosize
        minRows={1}
        maxRows={12}
        dir="auto"
        ref={focusOnce}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <HintedButton size="compact-md" reason={reason} loading={running === 'take'} onClick={accept}>
        Accept
      </HintedButton>
      <PlainHintedButton reason={waits} onClick={onClose}>
        Cancel
      </PlainHintedButton>
    </div>
  );
}

const focusOnce = (field: HTMLTextAreaElement | null) => field?.focus();

/** Marks removed and added words by more than color. */
export function TextDiff({ before, after }: { before: string | null; after: string }) {
  const parts = useMemo(() => wordDiff(before ?? '', after), [before, after]);
  if (before === null || before === '') return <ins className={classes.only}>{after}</ins>;
  const isReplaced = parts.every(({ kind }) => kind !== 'same');
  return parts.map(({ kind, text }, at) => {
    const key = `${at} ${text}`;
    if (kind === 'same') return <span key={key}>{text}</span>;
    const Mark = kind === 'removed' ? 'del' : 'ins';
    return (
      <span key={key}>
        {isReplaced && kind === 'added' && ' → '}
        <Mark>
          <span className="visually-hidden">{kind} text: </span>
          {text.trimEnd()}
          <span className="visually-hidden">, end of {kind} text</span>
        </Mark>
        {text.slice(text.trimEnd().length)}
      </span>
    );
  });
}
