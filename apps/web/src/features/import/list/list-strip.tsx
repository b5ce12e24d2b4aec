import type { SupplierList } from '@draftshelf/contract/imports/list';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Anchor, Title } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { changeRowsPath, importPath } from '../../../lib/paths.ts';
import { BodyText, SmallButton } from '../../../ui/basics.tsx';
import { PagedList } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { SmallHintedButton, TextHintedButton } from '../../../ui/hint.tsx';
import { useIsNarrow } from '../../../ui/hooks.ts';
import { MoreMenu } from '../../../ui/menu.tsx';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { editLockReason, useCopyingCommands, useUndo } from '../edits/edits-api.ts';
import shared from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { DialectChangeButton } from '../mapping/field-mapping.tsx';
import { partialListSentence } from '../mapping/mapping-words.ts';
import { type OnReread, rereadBlockReason } from '../mapping/reread-rules.tsx';
import { Notice } from '../notice.tsx';
import { useShowProposals } from '../rows-address.ts';
import { GoneSteps, ItemLine } from './gone-drawer.tsx';
import classes from './list.module.css';
import { listChangesUrl, useListAnswer, useMissingItems } from './list-api.ts';
import {
  carriedWords,
  createListDetails,
  createListNotes,
  itemWords,
  type ListNote,
  shownKey,
  type Tally,
  talliesOf,
} from './list-words.ts';

type Since = NonNullable<SupplierList['since']> & { counts: NonNullable<SupplierList['counts']> };

export function ListStrip(props: ListProps) {
  const { counts, since, notCompared, isPartial, late } = props.list;
  if (counts !== null && since !== null) return <ComparedList {...props} since={{ ...since, counts }} />;
  if (notCompared === null && !isPartial && late === null) return null;
  return (
    <section className="stack" aria-labelledby="list-since">
      <Title order={2} id="list-since" tabIndex={-1} className={shared.sectionHead}>
        List
      </Title>
      {notCompared !== null && <Notice>{notCompared}</Notice>}
      {isPartial && <Notice>{partialListSentence}</Notice>}
      <ListSentences {...props} since="" />
    </section>
  );
}

function ComparedList(props: ListProps & { since: Since }) {
  const { record, list, since } = props;
  const [shown, setShown] = useState<'missing' | 'gone' | null>(null);
  const answer = useListAnswer(record.id);
  // Later lists are compared with a list that counts: one pushed in full, or one that the operator chooses.
  const counting =
    list.state === 'counted'
      ? { label: 'Ignore This List', act: () => answer.mutate({ body: { counts: false } }) }
      : { label: 'Use as the Latest List', act: () => answer.mutate({ body: { counts: true } }) };
  return (
    <section className="stack" aria-labelledby="list-since">
      <div className="row">
        <Title
          order={2}
          id="list-since"
          tabIndex={-1}
          className={`grow ${shared.sectionHead} ${classes.since} flex gap-x-tight wrap shrink`}
        >
          Since <EarlierFile since={since} />
        </Title>
        <MoreMenu
          size={26}
          className="rigid"
          label="Actions of this list"
          name="Actions of this list"
          items={[
            ...(list.state === null || !canAnswer(record) ? [] : [{ ...counting, reason: null }]),
            {
              label: 'Download Changes (CSV)',
              reason: null,
              act: () => window.location.assign(listChangesUrl(record.id)),
            },
          ]}
        />
      </div>
      <Tallies importId={record.id} since={since} gone={list.gone} onMissing={setShown} />
      <ListSentences {...props} since={since.filename} />
      <ViewDrawer
        opened={shown === 'missing'}
        title="Not in this list"
        width={560}
        onClose={() => setShown(null)}
      >
        <Missing importId={record.id} since={since} />
      </ViewDrawer>
      <ViewDrawer
        opened={shown === 'gone'}
        title="No longer listed"
        width={560}
        onClose={() => setShown(null)}
      >
        <GoneSteps importId={record.id} filename={record.filename} count={list.gone ?? 0} />
      </ViewDrawer>
    </section>
  );
}

/** True if the operator may answer questions about the list: not while it is pushed or after it was cancelled. */
const canAnswer = ({ status }: ShownImport) => canDo('bulkEdit', status);

/** A link to the earlier import, or only its filename if that import was deleted. */
function EarlierFile({ since: { importId, filename } }: { since: Since }) {
  const look = { className: 'ellipsis', title: filename, dir: 'auto' };
  if (importId === null) return <span {...look}>{filename}</span>;
  return (
    <Link to={importPath(importId)} {...look}>
      {filename}
    </Link>
  );
}

type TalliesProps = {
  importId: string;
  since: Since;
  gone: number | null;
  onMissing: (of: 'missing' | 'gone') => void;
};

/** Example: '118 new · 412 changed: 260 dearer (avg +8%), 31 cheaper'. On a phone each count has its own line. */
function Tallies({ importId, since, gone, onMissing }: TalliesProps) {
  const narrow = useIsNarrow();
  const piece = (tally: Tally) => <TallyLink {...{ importId, tally, onMissing }} />;
  const tallies = talliesOf(since.counts, gone);
  if (narrow) {
    return (
      <ul className={`list numbers ${classes.rows}`}>
        {tallies.map((tally) => (
          <li key={tally.of}>{piece(tally)}</li>
        ))}
      </ul>
    );
  }
  return (
    <p className="flush strong numbers">
      {tallies.map((tally, at) => (
        <Fragment key={tally.of}>
          {at > 0 && ' · '}
          {piece(tally)}
          {tally.parts.length > 0 && joined(tally.parts.map((part) => [part.of, piece(part)]))}
        </Fragment>
      ))}
    </p>
  );
}

const joined = (pieces: [key: string, piece: ReactNode][]) => (
  <>
    {': '}
    {pieces.map(([key, piece], at) => (
      <Fragment key={key}>
        {at > 0 && ', '}
        {piece}
      </Fragment>
    ))}
  </>
);

function TallyLink({ importId, tally, onMissing }: Omit<TalliesProps, 'since' | 'gone'> & { tally: Tally }) {
  const { of, count, words } = tally;
  if (count === 0) return <span className="dim normal">{words}</span>;
  if (of === 'missing' || of === 'gone') {
    return (
      <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => onMissing(of)}>
        {words}
      </button>
    );
  }
  return <ChangedRows {...{ importId, of, words }} />;
}

/** A link to the rows with this change. */
function ChangedRows({ importId, of, words }: { importId: string; of: string; words: string }) {
  const [search] = useSearchParams();
  return (
    <Link
      to={changeRowsPath(importId, of)}
      preventScrollReset
      className="text-button"
      aria-current={search.get('change') === of || undefined}
    >
      {words}
    </Link>
  );
}

function Missing({ importId, since }: { importId: string; since: Since }) {
  const count = since.counts.missing;
  const pages = useMissingItems(importId);
  return (
    <div className="stack">
      <BodyText className="numbers break-words">
        {countOf(count, 'row')} of {since.filename} {count === 1 ? 'isn’t' : 'aren’t'} in this list. Nothing
        happens to {count === 1 ? 'its product' : 'their products'} in the store.{' '}
        <Anchor href={listChangesUrl(importId)} download inherit underline="always">
          Download all changes (CSV)
        </Anchor>
      </BodyText>
      <PagedList of={pages} what="what is missing" label="Not in this list">
        {({ items }) =>
          items.map((item) => (
            <ItemLine
              key={item.key}
              name={item.title ?? shownKey(item.key)}
              title={item.title ?? 'No title'}
              words={itemWords(item)}
              storeUrl={item.storeUrl}
            />
          ))
        }
      </PagedList>
    </div>
  );
}

type ListProps = { record: ShownImport; list: SupplierList; onReread: OnReread };

type SentencesProps = ListProps & {
  /** The filename of the earlier list. */
  since: string;
};

function ListSentences({ since, ...props }: SentencesProps) {
  const { record, list } = props;
  return (
    <div className={`row-wrap ${classes.sentences} gap-x-lg`}>
      {createListNotes(list, since).map((note) => (
        <NoteLine key={note.words} note={note} {...props} />
      ))}
      {list.carried !== null && <CarriedSentence record={record} carried={list.carried} />}
      {createListDetails(record.id, list, since).map((note) => (
        <NoteLine key={note.words} note={note} {...props} />
      ))}
    </div>
  );
}

const Sentence = ({ children }: { children: ReactNode }) => (
  <div className={`row-wrap break-words numbers ${classes.sentence} size-sm`}>{children}</div>
);

function NoteLine({ note, record, list, onReread }: ListProps & { note: ListNote }) {
  const answer = useListAnswer(record.id);
  const say = useSupplierAnswer(list);
  const again = useCall('setSupplier', { params: { id: record.id }, failed: 'Couldn’t compare it again' });
  return (
    <Sentence>
      <span>{linked(note)}</span>
      {Object.entries((canAnswer(record) && note.answers) || {}).map(([label, body]) => (
        <SmallButton key={label} onClick={() => answer.mutate({ body })}>
          {label}
        </SmallButton>
      ))}
      {Object.entries(note.sendsComplete ?? {}).map(([label, sendsComplete]) => (
        <SmallButton key={label} onClick={() => say({ sendsComplete })}>
          {label}
        </SmallButton>
      ))}
      {note.reread === 'again' && (
        <SmallHintedButton
          reason={rereadBlockReason(record)}
          loading={again.isPending}
          onClick={() => again.mutate({ body: { again: true } })}
        >
          Compare Again
        </SmallHintedButton>
      )}
      {note.reread === 'format' && (
        <DialectChangeButton
          {...{ record, onReread }}
          button={(open) => (
            <SmallHintedButton reason={rereadBlockReason(record)} onClick={open}>
              Change How It’s Read
            </SmallHintedButton>
          )}
        />
      )}
    </Sentence>
  );
}

function linked({ words, link }: ListNote): ReactNode {
  if (link === undefined) return words;
  const at = words.indexOf(link.words);
  return (
    <>
      {words.slice(0, at)}
      <Link to={link.to} preventScrollReset dir="auto">
        {link.words}
      </Link>
      {words.slice(at + link.words.length)}
    </>
  );
}

/** Saves the answer only if no other answer was saved since the list was read. */
function useSupplierAnswer({ supplier, answers }: SupplierList) {
  const answering = useCall('answerSupplier', { failed: 'Couldn’t save the answer' });
  return (set: { sendsComplete: boolean }) => {
    if (supplier === null || answers === null) return;
    const { sendsComplete } = answers;
    answering.mutate({ params: { id: supplier.id }, body: { set, from: { sendsComplete } } });
  };
}

type CarriedProps = { record: ShownImport; carried: NonNullable<SupplierList['carried']> };

function CarriedSentence({ record, carried }: CarriedProps) {
  const taken = useCopyingCommands(record.id, 'carried') ?? [];
  const { run, isPending } = useUndo(record.id);
  const showProposals = useShowProposals();
  const { edits, toDecide, isUndone } = carried;
  const sentence = carriedWords(edits);
  const ofThese = taken.filter(({ id }) => carried.commands.includes(id));
  const commands = isUndone ? ofThese.flatMap(({ undo }) => undo?.id ?? []) : carried.commands;
  const direction = isUndone ? 'redo' : 'undo';
  return (
    <Sentence>
      <span>
        <ChangedRows importId={record.id} of="carried" words={sentence} />
        {isUndone && ', then taken back'}
        {toDecide > 0 && (
          <>
            {' · '}
            <button
              type="button"
              className="text-button strong"
              onClick={() => showProposals(supplierSource)}
            >
              {formatCount(toDecide)} to decide
            </button>
          </>
        )}
      </span>
      <TextHintedButton
        description={sentence}
        reason={editLockReason(record)}
        loading={isPending}
        onClick={() => commands.length > 0 && void run({ commands, direction, sentence })}
      >
        {isUndone ? 'Redo' : 'Undo'}
      </TextHintedButton>
    </Sentence>
  );
}
