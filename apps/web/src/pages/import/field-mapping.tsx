import { type CanonicalField, canonicalFields, fieldSpecs } from '@draftshelf/domain/canonical-fields';
import { Collapse, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShownDetails, ShownImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { missingFields } from '../../components/mapping/mapping-words.ts';
import { countOf } from '../../lib/intl.ts';
import classes from './import.module.css';
import { EditsWithoutRow, ImportDialect, type OnReread } from './import-dialect.tsx';
import { ImportMapping } from './import-mapping.tsx';

type FieldMappingProps = {
  record: ShownImport;
  mappingSet: ShownDetails['mappingSet'] | null;
  onReread: OnReread;
};

/** How the file is read and mapped, in one line; the columns of the fields on demand. */
export function FieldMapping({ record, mappingSet, onReread }: FieldMappingProps) {
  const mapped = canonicalFields.filter((field) => record.fieldMapping[field]);
  const missing =
    record.dialect === null ? [] : missingFields((field) => Boolean(record.fieldMapping[field]));
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [chosen, setOpen] = useState<boolean | null>(null);
  const settings = (
    <>
      {mappingSet !== null && record.dialect !== null && (
        <ImportMapping record={record} mappingSet={mappingSet} missing={missing} onReread={onReread} />
      )}
      <ImportDialect record={record} onReread={onReread} />
    </>
  );
  const open = chosen ?? missing.length > 0;
  return (
    <section className={classes.strip} aria-labelledby="field-mapping">
      <Title order={2} id="field-mapping" className={classes.stripHead}>
        Field Mapping <HelpTip topic="field mapping" />
      </Title>
      <div className={classes.stripBody}>
        <div className={classes.line}>
          {mapped.length === 0 && missing.length === 0 ? (
            <Text size="sm" c="dimmed">
              Matching columns…
            </Text>
          ) : (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              className={classes.fold}
              aria-expanded={open}
              rightSection={
                open ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />
              }
              onClick={() => setOpen(!open)}
            >
              {countOf(mapped.length, 'field')}
            </Button>
          )}
          {!narrow && settings}
        </div>
        {/* A test has only the first rows, so edits of others are no news. */}
        <EditsWithoutRow edits={record.testMode ? 0 : record.editsWithoutRow} />
        <Collapse expanded={open} transitionDuration={120}>
          {narrow && settings}
          <MappedFields record={record} fields={[...missing, ...mapped]} />
        </Collapse>
      </div>
    </section>
  );
}

function MappedFields({ record, fields }: { record: ShownImport; fields: readonly CanonicalField[] }) {
  return (
    <dl className={classes.mapping}>
      {fields.map((field) => (
        <div key={field}>
          <dt>{fieldSpecs[field].label}</dt>
          <dd>
            {record.fieldMapping[field] ?? (
              <span className={classes.missing}>
                <IconAlertTriangle size={14} aria-hidden /> No matching column
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
