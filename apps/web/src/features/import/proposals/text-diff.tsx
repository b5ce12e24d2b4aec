import { useMemo } from 'react';
import classes from './proposals.module.css';
import { wordDiff } from './word-diff.ts';

type TextDiffProps = {
  /** The value now; null: none. */
  before: string | null;
  after: string;
};

/** The words of a value that a proposal removes and adds, as text. They are told apart without colour, too. */
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
