import type { PushFact } from '@draftshelf/contract/imports/before-push';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Anchor, Title } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { later } from '../../../ui/later.tsx';
import classes from '../import.module.css';
import type { FactActionProps } from './fact-action.tsx';
import { noFactsWords } from './page-words.ts';

const FactAction = later(() => import('./fact-action.tsx').then((chunk) => chunk.FactAction));

type BeforePushListProps = Omit<FactActionProps, 'fact'> & { facts: readonly PushFact[] };

/**
 * Facts about the whole import that matter before a push, each with its number, a sentence and an action.
 */
export function BeforePushList({ facts, ...actions }: BeforePushListProps) {
  // A fact that is settled leaves its line: the rows below stay in their places.
  const [lines, setLines] = useState(facts.length);
  if (facts.length > lines) setLines(facts.length);
  const last = facts.at(-1)?.kind;
  const [lastKind, setLastKind] = useState(last);
  if (last !== undefined && last !== lastKind) setLastKind(last);
  if (lines === 0 || !canDo('push', actions.record.status)) return null;
  return (
    <section className={classes.strip} data-wide aria-labelledby="before-push">
      <Title order={2} id="before-push" className={classes.stripHead}>
        {canDo('review', actions.record.status) ? 'Before you push' : 'Since the push'}
      </Title>
      <ul className={`list ${classes.pushFacts}`} style={{ '--lines': lines } as CSSProperties}>
        {facts.length === 0 && <li data-settled>{noFactsWords(lastKind)}</li>}
        {facts.map((fact) => (
          <li key={`${fact.kind} ${fact.field ?? ''}`} data-fact={fact.kind}>
            <strong className="strong numbers">{countOf(fact.count, fact.of)}</strong>
            <div className={`row-wrap ${classes.factWords}`}>
              <p className="flush break-words">
                <Sentence fact={fact} />
              </p>
              <FactAction fact={fact} {...actions} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The sentence of a fact, in which the other import is a link. */
function Sentence({ fact: { sentence, other } }: { fact: PushFact }) {
  const at = other === undefined ? -1 : sentence.indexOf(other.filename);
  if (other === undefined || at < 0) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <Anchor component={Link} to={importPath(other.id)} inherit underline="always" dir="auto">
        {other.filename}
      </Anchor>
      {sentence.slice(at + other.filename.length)}
    </>
  );
}
