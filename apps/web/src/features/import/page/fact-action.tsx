import type { PushFact } from '@draftshelf/contract/imports/before-push';
import type { MappingChanges } from '@draftshelf/contract/reading/mapping';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath, issueRowsPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { later } from '../../../ui/later.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { PageLink } from '../../../ui/text.tsx';
import { editLock } from '../edits/edit-words.ts';
import { useCommandNotice } from '../edits/use-undo.ts';
import classes from '../import.module.css';
import { type CurrencyAnswer, type ShownImport, useCurrencyAnswer } from '../imports-api.ts';
import { useReread } from '../mapping/mapping-api.ts';
import { type OnReread, rereadBlock, useMappingChange } from '../mapping/reread-rules.tsx';
import { usePlan, usePlanBegin, usePlanView } from '../plan/plan-api.ts';
import { decisionsView } from '../plan/plan-words.ts';
import { isOfRows } from '../status/currency-gate.tsx';
import { type DetailsSection, useDetails, useShowProposals } from '../use-details.ts';
import type { PageActions } from './page-actions.ts';

const CombineTitles = later(() =>
  import('../mapping/reread-effect.tsx').then((chunk) => chunk.CombineTitles),
);

export type FactActionProps = {
  fact: PushFact;
  record: ShownImport;
  imageUpdate: PageActions['imageUpdate'];
  onPush: () => void;
  onRecipes: () => void;
  onReread: OnReread;
};

const look = { size: 'compact-sm', variant: 'default' } as const;

/** A fact of a newer server has no action. */
function FactAction(props: FactActionProps): ReactNode {
  const { fact, record, imageUpdate, onPush, onRecipes } = props;
  switch (fact.kind) {
    case 'other-currency':
      return <CurrencyAnswers {...props} />;
    case 'no-column':
    case 'unsent-columns':
      return <ColumnChoice {...props} />;
    case 'no-quantities':
      return fact.field === undefined ? (
        <RowsLink record={record} issue={fact.issue} />
      ) : (
        <ColumnChoice {...props} />
      );
    case 'loose-quantities':
      return (
        <>
          <RowsLink record={record} issue={fact.issue} />
          {fact.field !== undefined && <ColumnChoice {...props} />}
        </>
      );
    case 'column-question':
      return <ReadingAnswers {...props} />;
    case 'shared-titles':
      return <CombineTitles {...props} />;
    case 'bad-pictures':
      if (!canDo('updateImages', record.status)) return null;
      return (
        <Button {...look} loading={imageUpdate.isPending} onClick={imageUpdate.start}>
          Update Images
        </Button>
      );
    case 'to-decide':
      return <Decide record={record} />;
    case 'supplier-values':
      return <DecideValues />;
    case 'late-list':
    case 'cut-off-list':
      return <ToDetails section="list-since">Answer</ToDetails>;
    case 'recipes':
      return (
        <ReasonedButton {...look} reason={editLock(record)} onClick={onRecipes}>
          Review
        </ReasonedButton>
      );
    case 'looking-up':
      return <ToDetails section="upc-lookup">Show Look-Ups</ToDetails>;
    case 'applying-rules':
      return (
        <Button {...look} component={Link} to="/settings">
          Show Rules
        </Button>
      );
    case 'asking-ai':
      return <ToDetails section="ask-ai">Show Progress</ToDetails>;
    case 'decided-since-push':
    case 'found-since-push':
      return (
        <Button {...look} onClick={onPush}>
          Push again
        </Button>
      );
    default:
      return <RowsLink record={record} issue={fact.issue} />;
  }
}

function ToDetails({ section, children }: { section: DetailsSection; children: string }) {
  const [, open] = useDetails();
  return (
    <Button {...look} onClick={() => open(section)}>
      {children}
    </Button>
  );
}

/** Plans the next push first if there is no plan. */
function Decide({ record }: { record: ShownImport }) {
  const plan = usePlan(record.id).data;
  const begin = usePlanBegin(record.id, 'Couldn’t plan the push');
  const [, showList] = usePlanView();
  const isPlanned = plan?.state === 'ready' && plan.push === null && !plan.outdated.rows;
  const decide = () => {
    if (isPlanned || plan?.state === 'running') return showList(decisionsView);
    begin.mutate({ query: {} }, { onSuccess: () => showList(decisionsView) });
  };
  return (
    <Button {...look} busy={plan === undefined || begin.isPending} onClick={decide}>
      Decide
    </Button>
  );
}

/** The supplier has changed these values after the operator did. */
function DecideValues() {
  const showProposals = useShowProposals();
  return (
    <Button {...look} onClick={() => showProposals(supplierSource)}>
      Decide
    </Button>
  );
}

const RowsLink = ({ record, issue }: { record: ShownImport; issue: string | undefined }) =>
  issue === undefined ? null : (
    <Button {...look} component={Link} to={issueRowsPath(record.id, issue)} preventScrollReset>
      Show Rows
    </Button>
  );

/** An answer can be changed until the first push. */
function CurrencyAnswers({ record, fact }: FactActionProps) {
  const answering = useCurrencyAnswer();
  const showApplied = useCommandNotice(record.id);
  const answer = record.otherCurrency?.answer ?? null;
  const give = (value: CurrencyAnswer) =>
    // The question may be gone before its answer arrives.
    answering.mutateAsync({ ids: [record.id], answer: value }).then(
      ([change]) => change && showApplied(change, 'Left out of the push'),
      () => {},
    );
  const button = (value: CurrencyAnswer, words: string) => (
    <ReasonedButton
      {...look}
      reason={value === 'leave-out' ? editLock(record) : null}
      loading={answering.isPending && answering.variables.answer === value}
      onClick={() => void give(value)}
    >
      {words}
    </ReasonedButton>
  );
  if (isOfRows(record)) {
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

/** A choice re-reads the file. */
function ColumnChoice({ fact: { field, columns = [] }, record, onReread }: FactActionProps) {
  const { pending, change } = useMappingChange(record.id, onReread);
  if (columns.length === 0) return <ToDetails section="field-mapping">Show Mapping</ToDetails>;
  const reason = rereadBlock(record);
  return columns.map((header) => (
    <ReasonedButton
      key={header}
      {...look}
      reason={reason}
      loading={pending !== null && Object.hasOwn(pending, header)}
      onClick={() => change({ [header]: field } as MappingChanges)}
    >
      {`Use ${header}`}
    </ReasonedButton>
  ));
}

/** The answer re-reads the file. */
function ReadingAnswers({ fact: { columns = [], answers = [] }, record }: FactActionProps) {
  const reread = useReread(record.id, 'Couldn’t re-read the file');
  const [header = ''] = columns;
  return answers.map(({ reading, words }) => (
    <ReasonedButton
      key={reading}
      {...look}
      reason={rereadBlock(record)}
      loading={reread.isPending}
      onClick={() => reread.mutate({ readings: { [header]: reading } })}
    >
      {words}
    </ReasonedButton>
  ));
}

export const FactLine = ({ fact, ...props }: FactActionProps) => (
  <div className={`row-wrap ${classes.fact}`} data-fact={fact.kind}>
    <strong className="strong numbers">{countOf(fact.count, fact.of)}</strong>
    <span className="break-words">
      <Sentence fact={fact} />
    </span>
    <FactAction fact={fact} {...props} />
  </div>
);

/** The other import is a link. */
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
