import type { PushFact } from '@draftshelf/contract/imports/before-push';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import type { FactActionProps } from './fact-action.tsx';
import { FactAction } from './fact-action.tsx';
import classes from './import-head.module.css';

/** A fact that matters before a push: its number, a sentence and an action. */
export function FactLine({ fact, ...props }: FactActionProps) {
  return (
    <div className={`row-wrap ${classes.fact}`} data-fact={fact.kind}>
      <strong className="strong numbers">{countOf(fact.count, fact.of)}</strong>
      <span className="break-words">
        <Sentence fact={fact} />
      </span>
      <FactAction fact={fact} {...props} />
    </div>
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
