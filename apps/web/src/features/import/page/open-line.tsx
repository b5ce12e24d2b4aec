import type { PrePushFacts, PushFact } from '@draftshelf/contract/imports/before-push';
import type { MappingChanges } from '@draftshelf/contract/reading/mapping';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { PushFactKind } from '@draftshelf/domain/push/before-push';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath, issueRowsPath } from '../../../lib/paths.ts';
import { PageLink, SmallButton, TextButton } from '../../../ui/basics.tsx';
import { SmallHintedButton } from '../../../ui/hint.tsx';
import { later } from '../../../ui/later.tsx';
import { editLockReason, useCommandNotice } from '../edits/edits-api.ts';
import classes from '../import.module.css';
import {
  type CurrencyAnswer,
  type ShownDetails,
  type ShownImport,
  useCurrencyAnswer,
} from '../imports-api.ts';
import { listSummaryWords, shouldAskIfComplete } from '../list/list-words.ts';
import { type RereadChange, useReread } from '../mapping/mapping-api.ts';
import {
  FormerReadingNotice,
  type OnReread,
  rereadBlockReason,
  useMappingChange,
} from '../mapping/reread-rules.tsx';
import { Notice } from '../notice.tsx';
import { useBeginPlan, usePlan, usePlanView } from '../plan/plan-api.ts';
import { decisionsView } from '../plan/plan-words.ts';
import { RepeatButtons } from '../recipes/repeat-buttons.tsx';
import { type DetailsSection, useDetailsSection, useShowProposals } from '../rows-address.ts';
import { pushResultWords, undecidedWords } from '../status/auto-words.ts';
import { hasSomeOtherCurrency } from '../status/currency-gate.tsx';
import { AutoPushNotice, RereadingNotice, SameFileNotice, SupplierQuestion } from './import-notices.tsx';
import type { PageActions } from './page-actions.ts';

export type OpenLineProps = Omit<FactActionProps, 'fact' | 'record'> & {
  record: ShownDetails;
  /** The change that reverts a re-read begun on this visit, or null if no re-read was begun. */
  former: RereadChange | null;
  onRestored: () => void;
  onSupplier: () => void;
};

export function FirstOpenItem({
  items,
  ...props
}: OpenLineProps & { items: readonly [OpenItem, ...OpenItem[]] }) {
  const [, open] = useDetailsSection();
  const [item, ...others] = items;
  return (
    <>
      <OpenItemLine item={item} {...props} />
      {others.length > 0 && (
        <TextButton
          color="gray"
          className="to-the-end"
          aria-label={`${others.length} more in the details`}
          onClick={() => open('before-push')}
        >
          {`+${others.length} more`}
        </TextButton>
      )}
    </>
  );
}

export function OpenItemLine({ item, ...props }: OpenLineProps & { item: OpenItem }) {
  const { record, former, onRestored, onSupplier } = props;
  const [, open] = useDetailsSection();
  switch (item.kind) {
    case 'rereading':
      return <RereadingNotice record={record} />;
    case 'auto':
      return <AutoPushNotice record={record} />;
    case 'supplier':
      return (
        record.list?.asked && (
          <SupplierQuestion
            importId={record.id}
            asked={record.list.asked}
            lock={rereadBlockReason(record)}
            onOther={onSupplier}
          />
        )
      );
    case 'former-reading':
      return former && <FormerReadingNotice record={record} former={former} onRestored={onRestored} />;
    case 'complete-list':
      return (
        <Notice>
          Does the supplier send the complete list each time?{' '}
          <SmallButton onClick={() => open('list-since')}>Answer</SmallButton>
        </Notice>
      );
    case 'same-file':
      return <SameFileNotice record={record} />;
    case 'fact':
      return (
        <>
          {item.fact.kind === 'recipes' && record.list?.counts && (
            <span className="strong numbers">{listSummaryWords(record.list.counts)}</span>
          )}
          <FactLine {...props} fact={item.fact} />
        </>
      );
  }
}

export type OpenItem =
  | { kind: 'rereading' | 'auto' | 'supplier' | 'complete-list' | 'former-reading' | 'same-file' }
  | { kind: 'fact'; fact: PushFact };

type Opened = Pick<
  ShownDetails,
  'rereading' | 'autoHeld' | 'autoPushAt' | 'sameAs' | 'sameFilename' | 'list'
> &
  Parameters<typeof pushResultWords>[0] &
  Parameters<typeof undecidedWords>[0];

/** Returns the open items, most important first. `wasReread`: true if this visit's re-read can be reverted. */
export function findOpenItems(
  record: Opened,
  beforePush: PrePushFacts | null,
  wasReread: boolean,
): OpenItem[] {
  const { list, rereading } = record;
  const items: OpenItem[] = [];
  if (rereading !== null) items.push({ kind: 'rereading' });
  if (
    record.autoHeld !== null ||
    record.autoPushAt !== null ||
    undecidedWords(record) !== null ||
    pushResultWords(record, beforePush) !== null
  ) {
    items.push({ kind: 'auto' });
  }
  if (list?.asked) items.push({ kind: 'supplier' });
  if (wasReread && rereading === null) items.push({ kind: 'former-reading' });
  const facts = canDo('push', record.status) ? (beforePush?.facts ?? []) : [];
  const toItem = (fact: PushFact): OpenItem => ({ kind: 'fact', fact });
  items.push(...facts.filter(isDecision).map(toItem));
  if (list !== null && shouldAskIfComplete(list)) items.push({ kind: 'complete-list' });
  if (record.sameAs !== null || record.sameFilename !== null) items.push({ kind: 'same-file' });
  return [...items, ...facts.filter((fact) => !isDecision(fact)).map(toItem)];
}

const decisions: readonly string[] = [
  'other-currency',
  'no-column',
  'column-question',
  'late-list',
  'cut-off-list',
  'recipes',
  'supplier-values',
  'to-decide',
  'guard-cost',
  'guard-column',
  'guard-change',
] satisfies PushFactKind[];

/** True if the fact needs a decision of the operator. Other facts only inform. */
const isDecision = ({ kind }: PushFact): boolean => decisions.includes(kind);

/** Returns the section of the first item that needs an answer, or null if there is none. */
export function findSectionToAnswer(items: readonly OpenItem[]): DetailsSection | null {
  const first = items.find((item) =>
    item.kind === 'fact' ? isDecision(item.fact) : item.kind === 'supplier' || item.kind === 'complete-list',
  );
  if (first === undefined) return null;
  return first.kind === 'complete-list' ? 'list-since' : 'before-push';
}

const CombineAsVariants = later(() => import('../mapping/reread-effect.tsx'), 'CombineAsVariants');

type FactActionProps = {
  fact: PushFact;
  record: ShownImport;
  imageUpdate: PageActions['imageUpdate'];
  onPush: () => void;
  onRecipes: () => void;
  onReread: OnReread;
};

/** Returns null for unknown facts, which a newer server may send. */
function FactAction(props: FactActionProps): ReactNode {
  const { fact, record, imageUpdate, onPush, onRecipes } = props;
  const showProposals = useShowProposals();
  switch (fact.kind) {
    case 'other-currency':
      return <CurrencyAnswers {...props} />;
    case 'no-column':
    case 'unsent-columns':
      return <ColumnChoice {...props} />;
    case 'no-quantities':
    case 'loose-quantities':
      return (
        <>
          {(fact.kind === 'loose-quantities' || fact.field === undefined) && (
            <RowsLink record={record} issue={fact.issue} />
          )}
          {fact.field !== undefined && <ColumnChoice {...props} />}
        </>
      );
    case 'column-question':
      return <ReadingAnswers {...props} />;
    case 'shared-titles':
      return <CombineAsVariants {...props} />;
    case 'bad-pictures':
      if (!canDo('updateImages', record.status)) return null;
      return (
        <SmallButton loading={imageUpdate.isPending} onClick={imageUpdate.start}>
          Update Images
        </SmallButton>
      );
    case 'to-decide':
      return <Decide record={record} />;
    case 'supplier-values':
      // The supplier's new values are proposals for fields that the operator had edited.
      return <SmallButton onClick={() => showProposals(supplierSource)}>Decide</SmallButton>;
    case 'late-list':
    case 'cut-off-list':
      return <ToDetails section="list-since">Answer</ToDetails>;
    case 'recipes':
      return <RepeatButtons record={record} onReview={onRecipes} />;
    case 'looking-up':
      return <ToDetails section="upc-lookup">Show Look-Ups</ToDetails>;
    case 'applying-rules':
      return (
        <SmallButton component={Link} to="/settings?tab=csv">
          Show Rules
        </SmallButton>
      );
    case 'asking-ai':
      return <ToDetails section="ask-ai">Show Progress</ToDetails>;
    case 'decided-since-push':
    case 'found-since-push':
      return <SmallButton onClick={onPush}>Push again</SmallButton>;
    default:
      return <RowsLink record={record} issue={fact.issue} />;
  }
}

function ToDetails({ section, children }: { section: DetailsSection; children: string }) {
  const [, open] = useDetailsSection();
  return <SmallButton onClick={() => open(section)}>{children}</SmallButton>;
}

/** A button that shows the open decisions of the push plan. If no plan is up to date, it first begins one. */
function Decide({ record }: { record: ShownImport }) {
  const plan = usePlan(record.id).data;
  const begin = useBeginPlan(record.id, 'Couldn’t plan the push');
  const [, showList] = usePlanView();
  const isPlanned = plan?.state === 'ready' && plan.push === null && !plan.outdated.rows;
  const decide = () => {
    if (isPlanned || plan?.state === 'running') return showList(decisionsView);
    begin.mutate({ query: {} }, { onSuccess: () => showList(decisionsView) });
  };
  return (
    <SmallButton busy={plan === undefined || begin.isPending} onClick={decide}>
      Decide
    </SmallButton>
  );
}

const RowsLink = ({ record, issue }: { record: ShownImport; issue: string | undefined }) =>
  issue === undefined ? null : (
    <SmallButton component={Link} to={issueRowsPath(record.id, issue)} preventScrollReset>
      Show Rows
    </SmallButton>
  );

/** Buttons for an answer about other currencies. The operator can change the answer until the first push. */
function CurrencyAnswers({ record, fact }: FactActionProps) {
  const answering = useCurrencyAnswer();
  const showApplied = useCommandNotice(record.id);
  const answer = record.otherCurrency?.answer ?? null;
  const give = (value: CurrencyAnswer) =>
    // Uses the promise, because callbacks of `mutate` do not run if this component unmounts before the save ends.
    answering.mutateAsync({ ids: [record.id], answer: value }).then(
      ([change]) => change && showApplied(change, 'Left out of the push'),
      () => {},
    );
  const button = (value: CurrencyAnswer, words: string) => (
    <SmallHintedButton
      reason={value === 'leave-out' ? editLockReason(record) : null}
      loading={answering.isPending && answering.variables.answer === value}
      onClick={() => void give(value)}
    >
      {words}
    </SmallHintedButton>
  );
  if (hasSomeOtherCurrency(record)) {
    return (
      <>
        {answer !== 'send' && button('send', 'Send These')}
        {button('leave-out', 'Leave Out')}
        <RowsLink record={record} issue={fact.issue} />
      </>
    );
  }
  return (
    <>
      {answer !== 'send' && button('send', 'Send As They Are')}
      {answer !== 'hold' && button('hold', 'Hold Back')}
    </>
  );
}

/** A button for each column that may fit the field. The button maps the column and so re-reads the file. */
function ColumnChoice({ fact: { field, columns = [] }, record, onReread }: FactActionProps) {
  const { pending, change } = useMappingChange(record.id, onReread);
  if (columns.length === 0) return <ToDetails section="field-mapping">Show Mapping</ToDetails>;
  const reason = rereadBlockReason(record);
  return columns.map((header) => (
    <SmallHintedButton
      key={header}
      reason={reason}
      loading={pending !== null && Object.hasOwn(pending, header)}
      onClick={() => change({ [header]: field } as MappingChanges)}
    >
      {`Use ${header}`}
    </SmallHintedButton>
  ));
}

/** Buttons for the possible readings of a column. Each button re-reads the file with its reading. */
function ReadingAnswers({ fact: { columns = [], answers = [] }, record }: FactActionProps) {
  const reread = useReread(record.id, 'Couldn’t re-read the file');
  const [header = ''] = columns;
  return answers.map(({ reading, words }) => (
    <SmallHintedButton
      key={reading}
      reason={rereadBlockReason(record)}
      loading={reread.isPending}
      onClick={() => reread.mutate({ readings: { [header]: reading } })}
    >
      {words}
    </SmallHintedButton>
  ));
}

const FactLine = ({ fact, ...props }: FactActionProps) => (
  <div className={`row-wrap ${classes.fact}`} data-fact={fact.kind}>
    <strong className="strong numbers">{countOf(fact.count, fact.of)}</strong>
    <span className="break-words">
      <Sentence fact={fact} />
    </span>
    <FactAction fact={fact} {...props} />
  </div>
);

/** A fact's sentence, in which the filename of another import is a link. */
function Sentence({ fact: { sentence, other } }: { fact: PushFact }) {
  const at = other === undefined ? -1 : sentence.indexOf(other.filename);
  if (other === undefined || at < 0) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <PageLink to={importPath(other.id)} inherit dir="auto">
        {other.filename}
      </PageLink>
      {sentence.slice(at + other.filename.length)}
    </>
  );
}
