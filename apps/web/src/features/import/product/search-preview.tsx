import { Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import classes from './product-dialog.module.css';
import { searchPreviewOf } from './product-draft.ts';

/** The product as a search engine shows it. Only this preview cuts texts, not the push. */
export function SearchPreview({ title, description }: { title: string; description: string }) {
  const text = useMemo(() => textOf(description), [description]);
  const shown = searchPreviewOf(title, text);
  return (
    <section className={`stack ${classes.section}`} aria-label="Search preview">
      <Title order={3}>Search preview</Title>
      <div className={`break-words ${classes.preview}`} dir="auto">
        <Text size="lg" c="var(--mantine-color-anchor)" lh={1.3}>
          {shown.title === '' ? 'No title' : shown.title}
        </Text>
        <Text size="sm" c="dimmed">
          {shown.description === '' ? 'No description' : shown.description}
        </Text>
      </div>
    </section>
  );
}

/** The text of HTML or plain text. A parsed document loads nothing and runs nothing. */
function textOf(html: string): string {
  if (!/[<&]/.test(html)) return html;
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}
