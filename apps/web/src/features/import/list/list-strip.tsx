import type { List } from '@draftshelf/contract/imports/list';
import { Anchor, Title } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { changeRowsPath, importPath } from '../../../lib/paths.ts';
import { PagedList } from '../../../ui/feedback/read.tsx';
import { useNarrow } from '../../../ui/hooks.ts';
import { MoreMenu } from '../../../ui/menu.tsx';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { BodyText } from '../../../ui/text.tsx';
import shared from '../import.module.css';
import { partialWords } from '../mapping/mapping-words.ts';
import { Notice } from '../notice.tsx';
import { GoneDrawer, ItemLine } from './gone-drawer.tsx';
import classes from './list.module.css';
import { changesUrl, useMissing } from './list-api.ts';
import { type ListProps, ListSentences, useAnswer } from './list-sentences.tsx';
import { itemWords, shownKey, type Tally, talliesOf } from './list-words.ts';

type Since = NonNullable<List['since']> & { counts: NonNullable<List['counts']> };

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
      {isPartial && <Notice>{partialWords}</Notice>}
      <ListSentences {...props} since="" />
    </section>
  );
}

function ComparedList(props: ListProps & { since: Since }) {
  const { record, list, since } = props;
  const [shown, setShown] = useState<'missing' | 'gone' | null>(null);
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
        <StripMenu importId={record.id} state={list.state} />
      </div>
      <Tallies importId={record.id} since={since} gone={list.gone} onMissing={setShown} />
      <ListSentences {...props} since={since.filename} />
      <MissingDrawer
        importId={record.id}
        since={since.filename}
        count={since.counts.missing}
        opened={shown === 'missing'}
        onClose={() => setShown(null)}
      />
      <GoneDrawer
        importId={record.id}
        filename={record.filename}
        count={list.gone ?? 0}
        opened={shown === 'gone'}
        onClose={() => setShown(null)}
      />
    </section>
  );
}

/** A link unless its import was deleted. */
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

/** '118 new · 412 changed: 260 dearer (avg +8%), 31 cheaper · …'; on a phone each count has a line. */
function Tallies({ importId, since, gone, onMissing }: TalliesProps) {
  const narrow = useNarrow();
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
  const [search] = useSearchParams();
  if (count === 0) return <span className="dim normal">{words}</span>;
  if (of === 'missing' || of === 'gone') {
    return (
      <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => onMissing(of)}>
        {words}
      </button>
    );
  }
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

/** The operator may say without a push whether the list counts. */
function StripMenu({ importId, state }: { importId: string; state: ListProps['list']['state'] }) {
  const answer = useAnswer(importId);
  const counting =
    state === 'counted'
      ? { label: 'Ignore This List', act: () => answer({ counts: false }) }
      : { label: 'Use as the Latest List', act: () => answer({ counts: true }) };
  return (
    <MoreMenu
      variant="subtle"
      color="gray"
      size={26}
      className="rigid"
      label="Actions of this list"
      name="Actions of this list"
      items={[
        ...(state === null ? [] : [{ ...counting, reason: null }]),
        {
          label: 'Download Changes (CSV)',
          reason: null,
          act: () => window.location.assign(changesUrl(importId)),
        },
      ]}
    />
  );
}

type MissingDrawerProps = {
  importId: string;
  since: string;
  count: number;
  opened: boolean;
  onClose: () => void;
};

function MissingDrawer({ opened, onClose, ...props }: MissingDrawerProps) {
  return (
    <ViewDrawer opened={opened} title="Not in this list" width={560} onClose={onClose}>
      <Missing {...props} />
    </ViewDrawer>
  );
}

function Missing({ importId, since, count }: Omit<MissingDrawerProps, 'opened' | 'onClose'>) {
  const pages = useMissing(importId);
  return (
    <div className="stack">
      <BodyText className="numbers break-words">
        {countOf(count, 'row')} of {since} {count === 1 ? 'isn’t' : 'aren’t'} in this list. Nothing happens to{' '}
        {count === 1 ? 'its product' : 'their products'} in the store.{' '}
        <Anchor href={changesUrl(importId)} download inherit underline="always">
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
