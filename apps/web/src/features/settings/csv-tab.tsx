import { List, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { Read } from '../../ui/feedback/read.tsx';
import { later } from '../../ui/later.tsx';
import classes from '../../ui/sections.module.css';
import { RememberedMappings } from '../import/index.ts';
import { useFields } from '../operate/index.ts';

// The header names that it knows are 30 kB, needed only once a header is typed.
const HeaderMatch = later(() =>
  import('../import/mapping/header-match.tsx').then((chunk) => chunk.HeaderMatch),
);

/** The matching of columns, the header names it knows, and remembered mappings. */
export function CsvTab() {
  return (
    <Stack gap="xl">
      <Stack component="section" gap="xs" aria-labelledby="header-matching">
        <Title order={2} id="header-matching">
          Header matching
        </Title>
        <List size="sm">
          <List.Item>Fuzzy header matching with a 70%+ similarity threshold</List.Item>
          <List.Item>120+ field variations</List.Item>
          <List.Item>Levenshtein scoring</List.Item>
        </List>
        <TryHeader />
      </Stack>
      <Aliases />
      <RememberedMappings />
    </Stack>
  );
}

function TryHeader() {
  const [header, setHeader] = useState('');
  return (
    <Stack gap={4}>
      <TextInput
        label="Try a header"
        description="Type a column header to see which field it means."
        placeholder="Artikelbezeichnung"
        maxLength={200}
        value={header}
        onChange={(event) => setHeader(event.currentTarget.value)}
      />
      <Text component="div" size="sm" mih="1.5rem" role="status">
        {header.trim() !== '' && <HeaderMatch header={header} />}
      </Text>
    </Stack>
  );
}

const exampleFields = ['title', 'price', 'upc', 'quantity'];
const examplesMax = 12;

function Aliases() {
  return (
    <Read of={useFields()} what="the known headers" meanwhile={<Skeleton height={440} />}>
      {(fields) => <KnownHeaders fields={fields} />}
    </Read>
  );
}

function KnownHeaders({ fields }: { fields: NonNullable<ReturnType<typeof useFields>['data']> }) {
  const count = new Set(fields.flatMap(({ aliases }) => aliases)).size;
  return (
    <Stack component="section" gap="sm" aria-labelledby="known-headers">
      <Title order={2} id="known-headers">
        Known headers
      </Title>
      <Text size="sm" c="dimmed">
        {`${formatCount(count)} header names for ${formatCount(fields.length)} fields, and their translations. A header that isn’t listed is matched from a similarity of 70%, or by the values in its column.`}
      </Text>
      {fields
        .filter(({ field }) => exampleFields.includes(field))
        .map(({ field, label, aliases }) => (
          <Stack key={field} gap={4} component="section" aria-label={`Headers for ${label}`}>
            <Text size="sm" fw={550}>
              {label}
            </Text>
            <ul className={`list row-wrap ${classes.aliases}`}>
              {aliases.slice(0, examplesMax).map((alias) => (
                <li key={alias} className={classes.alias}>
                  {alias}
                </li>
              ))}
              {aliases.length > examplesMax && (
                <li className="quiet">{`and ${formatCount(aliases.length - examplesMax)} more`}</li>
              )}
            </ul>
          </Stack>
        ))}
    </Stack>
  );
}
