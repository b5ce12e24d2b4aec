import type { List } from '@draftshelf/contract/imports/list';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { CallRequest } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { changeRowsPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { editLock } from '../edits/edit-words.ts';
import { useTakenOver } from '../edits/edits-api.ts';
import { useUndo } from '../edits/use-undo.ts';
import type { ShownImport } from '../imports-api.ts';
import { RereadDialog } from '../mapping/field-mapping.tsx';
import { type OnReread, rereadBlock } from '../mapping/reread-rules.tsx';
import { useShowProposals } from '../use-details.ts';
import classes from './list.module.css';
import { useListAnswer } from './list-api.ts';
import { carriedWords, detailsOf, type Note, notesOf } from './list-words.ts';

export type ListProps = { record: ShownImport; list: List; onReread: OnReread };

type SentencesProps = ListProps & {
  /** The file of the earlier list. */
  since: string;
};

export function ListSentences({ since, ...props }: SentencesProps) {
  const { record, list } = props;
  return (
    <div className={`row-wrap ${classes.sentences} gap-x-lg`}>
      {notesOf(list, since).map((note) => (
        <NoteLine key={note.words} note={note} {...props} />
      ))}
      {list.carried !== null && <CarriedSentence record={record} carried={list.carried} />}
      {detailsOf(record.id, list, since).map((note) => (
        <NoteLine key={note.words} note={note} {...props} />
      ))}
    </div>
  );
}

const look = { size: 'compact-sm', variant: 'default' } as const;

const Sentence = ({ children }: { children: ReactNode }) => (
  <div className={`row-wrap break-words numbers ${classes.sentence} size-sm`}>{children}</div>
);

function NoteLine({ note, record, list, onReread }: ListProps & { note: Note }) {
  const answer = useAnswer(record.id);
  const say = useSupplierAnswer(list);
  return (
    <Sentence>
      <span>{linked(note)}</span>
      {Object.entries(note.answers ?? {}).map(([label, body]) => (
        <Button key={label} {...look} onClick={() => answer(body)}>
          {label}
        </Button>
      ))}
      {Object.entries(note.sendsComplete ?? {}).map(([label, sendsComplete]) => (
        <Button key={label} {...look} onClick={() => say({ sendsComplete })}>
          {label}
        </Button>
      ))}
      {note.reread === 'again' && <CompareAgain record={record} />}
      {note.reread === 'format' && <OtherFormat record={record} onReread={onReread} />}
    </Sentence>
  );
}

function linked({ words, link }: Note): ReactNode {
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

export function useAnswer(importId: string) {
  const answering = useListAnswer(importId);
  return (body: CallRequest<'answerList'>['body']) => answering.mutate({ body });
}

/** Refused if somebody has answered otherwise meanwhile. */
function useSupplierAnswer({ supplier, answers }: List) {
  const answering = useCall('answerSupplier', { failed: 'Couldn’t save the answer' });
  return (set: { sendsComplete: boolean }) => {
    if (supplier === null || answers === null) return;
    const { sendsComplete } = answers;
    answering.mutate({ params: { id: supplier.id }, body: { set, from: { sendsComplete } } });
  };
}

function CompareAgain({ record }: Pick<ListProps, 'record'>) {
  const again = useCall('setSupplier', { params: { id: record.id }, failed: 'Couldn’t compare it again' });
  return (
    <ReasonedButton
      {...look}
      reason={rereadBlock(record)}
      loading={again.isPending}
      onClick={() => again.mutate({ body: { again: true } })}
    >
      Compare Again
    </ReasonedButton>
  );
}

function OtherFormat({ record, onReread }: Pick<ListProps, 'record' | 'onReread'>) {
  const [opened, setOpened] = useState(false);
  if (record.dialect === null) return null;
  return (
    <>
      <ReasonedButton {...look} reason={rereadBlock(record)} onClick={() => setOpened(true)}>
        Change How It’s Read
      </ReasonedButton>
      <RereadDialog
        {...{ opened, onReread, importId: record.id, dialect: record.dialect }}
        onClose={() => setOpened(false)}
      />
    </>
  );
}

export function CarriedSentence({
  record,
  carried,
}: {
  record: ShownImport;
  carried: NonNullable<List['carried']>;
}) {
  const taken = useTakenOver(record.id, 'carried') ?? [];
  const { run, isPending } = useUndo(record.id);
  const showProposals = useShowProposals();
  const [search] = useSearchParams();
  const { edits, toDecide, isUndone } = carried;
  const sentence = carriedWords(edits);
  const ofThese = taken.filter(({ id }) => carried.commands.includes(id));
  const commands = isUndone ? ofThese.flatMap(({ undo }) => undo?.id ?? []) : carried.commands;
  const direction = isUndone ? 'redo' : 'undo';
  return (
    <Sentence>
      <span>
        <Link
          to={changeRowsPath(record.id, 'carried')}
          preventScrollReset
          className="text-button"
          aria-current={search.get('change') === 'carried' || undefined}
        >
          {sentence}
        </Link>
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
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        description={sentence}
        reason={editLock(record)}
        loading={isPending}
        onClick={() => commands.length > 0 && void run({ commands, direction, sentence })}
      >
        {isUndone ? 'Redo' : 'Undo'}
      </ReasonedButton>
    </Sentence>
  );
}
