import { useMemo } from 'react';
import classes from './proposals.module.css';
import { wordDiff } from './word-diff.ts';

type TextDiffProps = {
  /** Null: there is no value. */
  before: string | null;
  after: string;
};

/** Marks removed and added words also without color. */
export function TextDiff({ before, after }: TextDiffProps) {
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
        <Mark className={classes.mark}>
          <span className="visually-hidden">{kind} text: </span>
          {text.trimEnd()}
          <span className="visually-hidden">, end of {kind} text</span>
        </Mark>
        {text.slice(text.trimEnd().length)}
      </span>
    );
  });
}
