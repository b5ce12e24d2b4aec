import { IssueFilter, type RowFacets } from '@draftshelf/contract/review/rows';
import type { RowFacet } from '@draftshelf/core/connection/schema';
import { countMatching } from '@draftshelf/core/review/search/row-filter';
import type { RowClass } from '@draftshelf/domain/review/row-rule';

export function toFacets(facets: readonly RowFacet[]): RowFacets {
  const ofClass = (name: RowClass) => countMatching(facets, { class: name });
  const issues = IssueFilter.options
    .map((issue) => [issue, countMatching(facets, { issue })] as const)
    .filter(([, rows]) => rows > 0);
  return {
    classes: { valid: ofClass('valid'), warning: ofClass('warning'), error: ofClass('error') },
    needsYou: countMatching(facets, { class: 'needs-you' }),
    issues: Object.fromEntries(issues),
    ignored: facets.filter((facet) => facet.class === 'ignored').reduce((sum, facet) => sum + facet.rows, 0),
  };
}
