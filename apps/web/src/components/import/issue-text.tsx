import type { Row } from '@draftshelf/contract/rows';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { importPath } from '../../lib/paths.ts';
import { Moment } from '../time.tsx';

/** The sentence of an issue. If it is about another import too, with a link to that and the time of the check. */
export function IssueText({ issue: { message, other } }: { issue: Row['issues'][number] }) {
  if (other === undefined) return message;
  return (
    <>
      {message}{' '}
      <Anchor component={Link} to={importPath(other.id)} inherit underline="always">
        View Import
      </Anchor>
      , checked <Moment time={other.foundAt} />
    </>
  );
}
