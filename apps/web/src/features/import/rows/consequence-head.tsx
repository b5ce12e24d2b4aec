import type { RowFacets } from '@draftshelf/contract/review/rows';
import type { ConsequenceFilter } from '@draftshelf/domain/review/issues';
import { countOf } from '../../../lib/intl.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import classes from './rows.module.css';

type ConsequenceHeadProps = {
  current: string | undefined;
  facets: RowFacets;
  onIssue: (name: ConsequenceFilter) => void;
};

/** How many rows can't be pushed and how many deserve a look, each a filter. */
export function ConsequenceHead({ current, facets, onIssue }: ConsequenceHeadProps) {
  const { refused = 0, check = 0 } = facets.issues;
  // Once there, the line stays, so that the rows keep their places while they are fixed.
  if (!useEver(refused + check > 0)) return null;
  const button = (name: ConsequenceFilter, words: string) => (
    <button
      type="button"
      className={classes.consequence}
      data-consequence={name}
      aria-pressed={current === name}
      onClick={() => onIssue(name)}
    >
      {words}
    </button>
  );
  return (
    <p className={`${classes.consequences} numbers`}>
      {(refused > 0 || current === 'refused') &&
        button('refused', `${countOf(refused, 'row')} can’t be pushed.`)}
      {(check > 0 || current === 'check') &&
        button('check', `${countOf(check, 'row')} ${check === 1 ? 'deserves' : 'deserve'} a look.`)}
    </p>
  );
}
