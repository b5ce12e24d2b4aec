import type { Row } from '@draftshelf/contract/review/rows';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { importPath } from '../../../lib/paths.ts';
import { Moment } from '../../../ui/time.tsx';

type Issue = Row['issues'][number];

/** The sentence of an issue. If another import is involved, it links to that import and has the time of the check. */
export function IssueText({ issue }: { issue: Issue }) {
  return (
    <>
      {issue.message} <OtherImport issue={issue} />
    </>
  );
}

/** The other import that an issue is about: a link, and when it was found. Nothing for other issues. */
export function OtherImport({ issue: { other } }: { issue: Issue }) {
  if (other === undefined) return null;
  return (
    <>
      <Anchor component={Link} to={importPath(other.id)} inherit underline="always">
        View Import
      </Anchor>
      , checked <Moment time={other.foundAt} />
    </>
  );
}
