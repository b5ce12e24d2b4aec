import { decapitalize } from '@draftshelf/domain/base/canonical-fields';
import { formatFieldValue, storeCategoryField } from '@draftshelf/domain/base/field-value';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { type Reply, readOf } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { valueRowsPath } from '../../../lib/paths.ts';

export type Readiness = Reply<'getReadiness'>;

export const readinessRead = (importId: string) => ({
  ...readOf('getReadiness', { params: { id: importId } }),
  staleTime: 0,
});

type ReadinessFieldsProps = { importId: string; readiness: Readiness; onShow?: () => void };

/** Shows how many products have each field. Each field links to the rows that lack it. */
export function ReadinessFields({ importId, readiness, onShow }: ReadinessFieldsProps) {
  const { products, fields, withCategory } = readiness;
  const category = {
    field: storeCategoryField,
    label: 'Category in Shopify',
    products: withCategory,
  } as const;
  return (
    <section aria-label="Fields">
      <ul className="list">
        {[...fields, category].map(({ field, label, products: having }) => (
          <li key={field} className="row wrap between gap-sm pad-y-xs line-below">
            <span className="break-words">{label}</span>
            <span className="row gap-sm">
              <span className="numbers">{`${formatCount(having)} of ${formatCount(products)}`}</span>
              <span style={{ minWidth: '6rem' }}>
                {having < products && (
                  <Anchor
                    component={Link}
                    className="target"
                    to={valueRowsPath(importId, formatFieldValue({ field, value: '' }))}
                    onClick={onShow}
                  >
                    {`Show ${formatCount(products - having)}`}
                    <span className="visually-hidden">{` without ${decapitalize(label)}`}</span>
                  </Anchor>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
