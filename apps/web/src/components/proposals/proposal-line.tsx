import { Checkbox, Text, Textarea } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { Button } from '../button.tsx';
import { Picture } from '../picture.tsx';
import { ReasonedButton } from '../reasoned-button.tsx';
import type { HeldProposal } from './held-proposals.ts';
import { fieldOfRow, originWords, proposedName, reasonWords } from './proposal-words.ts';
import classes from './proposals.module.css';
import { TextDiff } from './text-diff.tsx';
import type { Action, LineDecision } from './use-decisions.ts';

export type ProposalLineProps = {
  proposal: HeldProposal;
  decision: LineDecision | null;
  isSelected: boolean;
  /** Reason for not taking values now; null if they can be taken. */
  locked: string | null;
  isBusy: boolean;
  /** `isRange`: Shift was held. */
  onSelect: (isOn: boolean, isRange: boolean) => void;
  onDecide: (action: Action, value?: string) => void;
  onUndo: (command: string) => void;
};

/** A proposal with what it would change, why, and its buttons. A decided one stays in its place. */
export function ProposalLine(props: ProposalLineProps) {
  const { proposal, decision, isSelected, onSelect } = props;
  const what = fieldOfRow(proposal);
  const isOpen = proposal.isOpen && decision === null;
  return (
    <li className={classes.line} data-decided={!isOpen || undefined}>
      <Checkbox
        className={classes.box}
        aria-label={`Select the ${what}`}
        checked={isSelected && isOpen}
        disabled={!isOpen}
        onChange={({ currentTarget, nativeEvent }) =>
          onSelect(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
      {proposal.field === 'image' && (
        <Picture className={classes.picture} src={proposal.value} fallback={null} />
      )}
      <ProposalText proposal={proposal} />
      <LineActions {...props} />
    </li>
  );
}

/** Longer values are folded until they are shown whole. */
const foldedCharsMin = 400;

function ProposalText({ proposal }: { proposal: HeldProposal }) {
  const { row, title, field, before, value, evidence } = proposal;
  const isLong = value.length + (before?.length ?? 0) > foldedCharsMin;
  const [isWhole, setWhole] = useState(!isLong);
  return (
    <div className={classes.words}>
      <Text size="sm" fw={550} dir="auto">
        Row {formatCount(row)}: {title ?? 'no title'}
      </Text>
      <Text size="sm" dir="auto" {...(isWhole ? {} : { lineClamp: 4 })}>
        {proposedName(field)}: <TextDiff before={before} after={value} />
      </Text>
      {isLong && (
        <Button size="compact-xs" variant="subtle" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show Less' : 'Show All'}
        </Button>
      )}
      {evidence !== null && (
        <blockquote className={classes.evidence} dir="auto">
          <q>{evidence}</q>
        </blockquote>
      )}
      <Text size="sm" c="dimmed">
        {originWords(proposal)}. {reasonWords(proposal)}
        {proposal.changed && proposal.isOpen && ' The value has changed since; taking many leaves it out.'}
      </Text>
    </div>
  );
}

/** Keeps the focus on the line when the button that had it goes away. */
function useKeptFocus(state: string) {
  const element = useRef<HTMLDivElement>(null);
  const seen = useRef(state);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (seen.current !== state && hadFocus.current && !element.current?.contains(document.activeElement)) {
      element.current?.querySelector('button')?.focus({ preventScroll: true });
    }
    seen.current = state;
  });
  return {
    ref: element,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: Element | null }) => {
      if (relatedTarget !== null) hadFocus.current = false;
    },
  };
}

function LineActions(props: ProposalLineProps) {
  const { proposal, decision, locked, isBusy, onDecide, onUndo } = props;
  const [isChanging, setChanging] = useState(false);
  const isOpen = proposal.isOpen && decision === null;
  const state = isOpen ? (isChanging ? 'changing' : 'open') : 'decided';
  const focus = useKeptFocus(state);
  const what = fieldOfRow(proposal);
  return (
    <div className={classes.actions} {...focus}>
      {state === 'decided' && (
        <DecidedState decision={decision} what={what} isBusy={isBusy} onUndo={onUndo} />
      )}
      {state === 'changing' && (
        <ChangeForm
          {...props}
          onClose={(value) => {
            setChanging(false);
            if (value !== null) onDecide('take', value);
          }}
        />
      )}
      {state === 'open' && (
        <>
          <ReasonedButton
            size="compact-md"
            variant="default"
            reason={locked}
            aria-label={`Take the ${what}`}
            onClick={() => onDecide('take')}
          >
            Take
          </ReasonedButton>
          <ReasonedButton
            size="compact-md"
            variant="subtle"
            reason={locked}
            aria-label={`Change the ${what} before taking it`}
            onClick={() => setChanging(true)}
          >
            Change
          </ReasonedButton>
          <Button
            size="compact-md"
            variant="subtle"
            color="gray"
            aria-label={`Dismiss the ${what}`}
            onClick={() => onDecide('dismiss')}
          >
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
}

type DecidedStateProps = Pick<ProposalLineProps, 'decision' | 'isBusy' | 'onUndo'> & { what: string };

function DecidedState({ decision, what, isBusy, onUndo }: DecidedStateProps) {
  if (decision === null) {
    return (
      <Text size="sm" c="dimmed">
        Decided
      </Text>
    );
  }
  const { action, command, isBulk } = decision;
  const Icon = action === 'take' ? IconCheck : IconX;
  return (
    <>
      <Text size="sm" className={classes.state}>
        <Icon size={16} aria-hidden /> {action === 'take' ? 'Taken' : 'Dismissed'}
      </Text>
      {command !== null && !isBulk && (
        <Button
          size="compact-md"
          variant="subtle"
          busy={isBusy}
          aria-label={`Undo the decision about the ${what}`}
          onClick={() => onUndo(command)}
        >
          Undo
        </Button>
      )}
    </>
  );
}

type ChangeFormProps = Pick<ProposalLineProps, 'proposal' | 'locked'> & {
  /** The value to take; null for none. */
  onClose: (value: string | null) => void;
};

/** A field for the proposed value. Esc leaves it, Ctrl or Cmd with Enter takes what it has. */
function ChangeForm({ proposal, locked, onClose }: ChangeFormProps) {
  const [value, setValue] = useState(proposal.value);
  const problem = value.trim() === '' ? 'Enter a value, or dismiss the proposal.' : null;
  const take = () => problem === null && onClose(value);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose(null);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take();
  };
  return (
    <div className={classes.change}>
      <Textarea
        label={`New ${fieldOfRow(proposal)}`}
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
      <ReasonedButton size="compact-md" reason={locked} onClick={take}>
        Take
      </ReasonedButton>
      <Button size="compact-md" variant="default" onClick={() => onClose(null)}>
        Cancel
      </Button>
    </div>
  );
}

const focusOnce = (field: HTMLTextAreaElement | null) => field?.focus();
