import type { Row } from '@draftshelf/contract/review/rows';
import { Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { importPath } from '../../../lib/paths.ts';
import { Moment, PageLink } from '../../../ui/text.tsx';

type Issue = Row['issues'][number];

export const IssueText = ({ issue }: { issue: Issue }) => (
  <>
    {issue.message} <OtherImport issue={issue} />
  </>
);

export function OtherImport({ issue: { other } }: { issue: Issue }) {
  if (other === undefined) return null;
  return (
    <>
      <PageLink to={importPath(other.id)} inherit>
        View Import
      </PageLink>
      , checked <Moment time={other.foundAt} />
    </>
  );
}

export const LeftOutMark = () => (
  <Text span size="xs" fw={550} c="var(--text-warning)" style={{ whiteSpace: 'nowrap' }}>
    <IconBan size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Left out of the push
  </Text>
);
