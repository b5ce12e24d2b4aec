import { Stack, Title } from '@mantine/core';
import { rememberStore } from '../../../lib/seen-steps.ts';
import { Picture } from '../../../ui/picture.tsx';
import { useRowPage } from '../rows-api.ts';
import { firstDrafts } from './first-drafts.ts';
import classes from './report.module.css';

/** Three of the drafts that a push created, with their pictures, as links to the store. Nothing if there are none. */
export function DraftsInStore({ importId }: { importId: string }) {
  const rows = useRowPage(importId, { after: 0 }).data?.rows ?? [];
  const drafts = firstDrafts(rows);
  if (drafts.length === 0) return null;
  return (
    <Stack component="section" gap={6} aria-label="In the store">
      <Title order={3}>In the store</Title>
      <ul className={`list ${classes.drafts}`}>
        {drafts.map(({ product, storeUrl, title, picture }) => (
          <li key={product}>
            <a
              href={storeUrl}
              target="_blank"
              rel="noreferrer"
              className={`stack ${classes.draft}`}
              onClick={rememberStore}
            >
              <span className={classes.draftPicture}>
                <Picture src={picture} fallback={null} />
              </span>
              <span dir="auto" className="ellipsis">
                {title}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
