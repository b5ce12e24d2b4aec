import { Code, Title } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { HelpTip } from '../../../ui/help/help-tip.tsx';
import classes from '../import.module.css';
import type { ShownDetails } from '../imports-api.ts';
import { FileTables } from '../mapping/file-tables.tsx';
import { FileFacts } from './file-facts.tsx';
import { SameFile } from './import-notices.tsx';

/** The file of an import: its products by class, where it came from, its tables, and what went wrong with it. */
export function FileSection({ record }: { record: ShownDetails }) {
  const { errorLog, errorCount, sameAs, sameFilename, dialect } = record;
  return (
    <section className="stack" aria-labelledby="file">
      <Title order={2} id="file" tabIndex={-1} className={classes.sectionHead}>
        File <HelpTip topic="error handling" />
      </Title>
      <ClassCounts record={record} />
      <FileFacts record={record} />
      {dialect?.table && <FileTables importId={record.id} table={dialect.table} />}
      {(sameAs !== null || sameFilename !== null) && <SameFile record={record} />}
      {errorLog.length > 0 && (
        <details className={classes.details}>
          <summary>Error log ({formatCount(errorCount)})</summary>
          <Code block className={classes.log}>
            {errorLog.join('\n')}
          </Code>
        </details>
      )}
    </section>
  );
}

/** '50 valid · 2 warnings · 1 error', each a link to its rows. */
function ClassCounts({ record }: { record: ShownDetails }) {
  const counts = [
    ['valid', record.validProducts, `${formatCount(record.validProducts)} valid`],
    ['warning', record.warningProducts, countOf(record.warningProducts, 'warning')],
    ['error', record.errorProducts, countOf(record.errorProducts, 'error')],
  ] as const;
  return (
    <p className={`flush strong numbers ${classes.counts}`}>
      {counts.map(([kind, count, words], at) => (
        <Fragment key={kind}>
          {at > 0 && ' · '}
          {count === 0 || kind === 'valid' ? (
            words
          ) : (
            <Link to={`${importPath(record.id)}?class=${kind}`} preventScrollReset data-kind={kind}>
              {words}
            </Link>
          )}
        </Fragment>
      ))}
    </p>
  );
}
