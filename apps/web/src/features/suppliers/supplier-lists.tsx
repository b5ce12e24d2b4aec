import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { importPath } from '../../lib/paths.ts';
import { BodyText, EllipsisLink, QuietText, RelativeTime, SmallButton } from '../../ui/basics.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { TitledSection } from '../../ui/hint.tsx';
import { type Column, RecordList } from '../../ui/table/record-table.tsx';
import classes from './suppliers.module.css';
import { describeListCounts, describeListState, findComparedListNumber } from './suppliers-api.ts';

type ShownList = SupplierDetails['lists'][number] & { id: number; isLatest: boolean };

const tableRem = 56;

export function SupplierLists({ supplier }: { supplier: SupplierDetails }) {
  const latest = findComparedListNumber(supplier.lists);
  const lists = supplier.lists.map((list) => ({
    ...{ ...list, id: list.number },
    isLatest: list.number === latest,
  }));
  return (
    <TitledSection id="lists" title="Lists" gap="xs">
      {lists.length === 0 ? (
        <BodyText>There are no lists.</BodyText>
      ) : (
        <RecordList
          label="Lists"
          columns={columns}
          records={lists}
          tableRem={tableRem}
          card={(list) => (
            <li key={list.id} className={`panel stack ${classes.card} gap-tight pad-sm`}>
              <EllipsisLink to={list.importId && importPath(list.importId)}>{list.filename}</EllipsisLink>
              <BodyText component="div" className="numbers break-words">
                {describeListState(list, list.isLatest)} · <RelativeTime time={list.beganAt} />
              </BodyText>
              <QuietText className="numbers break-words">{describeListCounts(list)}</QuietText>
              <ListAction list={list} />
            </li>
          )}
        />
      )}
    </TitledSection>
  );
}

const columns: Column<ShownList>[] = [
  {
    head: 'File',
    cell: (list) => (
      <EllipsisLink to={list.importId && importPath(list.importId)}>{list.filename}</EllipsisLink>
    ),
  },
  { head: 'State', rem: 9, cell: (list) => describeListState(list, list.isLatest) },
  {
    head: 'Since the list before',
    rem: 20,
    narrowRem: 15,
    cell: (list) => (
      <span className={`numbers ${classes.sums} block`} title={describeListCounts(list)}>
        {describeListCounts(list)}
      </span>
    ),
  },
  { head: 'Read', rem: 8, cell: ({ beganAt }) => <RelativeTime time={beganAt} /> },
  { head: 'Actions', rem: 13, align: 'right', cell: (list) => <ListAction list={list} /> },
];

/** A button that changes whether a list counts; absent for cancelled lists and for counted lists except the latest. */
function ListAction({ list: { importId, status, state, isLatest } }: { list: ShownList }) {
  const answering = useCall('answerList', { failed: 'Couldn’t save the answer' });
  if (importId === null || status === null || !canDo('bulkEdit', status)) return null;
  if (state === 'counted' && !isLatest) return null;
  const counts = state !== 'counted';
  return (
    <SmallButton
      loading={answering.isPending}
      onClick={() => answering.mutate({ params: { id: importId }, body: { counts } })}
    >
      {counts ? 'Use as the Latest List' : 'Ignore This List'}
    </SmallButton>
  );
}
