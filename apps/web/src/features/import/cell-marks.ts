import type { Row } from '@draftshelf/contract/review/rows';
import { fieldsShownByDefault, type InlineField } from '@draftshelf/domain/base/field-look';
import { parseMoney } from '@draftshelf/domain/base/money';
import { issueCodes, issueSeverity } from '@draftshelf/domain/review/issues';

export type CellMark = { kind: 'missing' | 'bad' | 'note' | 'unneeded'; sentence: string };

const missingCodes: readonly string[] = ['title-missing', 'price-missing'];

type Issue = Row['issues'][number];

const isUnneeded = ({ code }: Issue): boolean => code === 'parent-without-price';

/** Ignores unknown codes, which a newer server may send. */
function isProblem(issue: Issue): boolean {
  const code = issueCodes.find((name) => name === issue.code);
  return code !== undefined && issueSeverity(code) !== 'note' && !isUnneeded(issue);
}

export const hasProblemIn = ({ issues }: Pick<Row, 'issues'>, fields: readonly string[]): boolean =>
  issues.some((issue) => isProblem(issue) && fields.includes(issue.field ?? ''));

/** Returns null if the cell needs no mark. A problem takes precedence over a note. A parent row may have price 0. */
export function findMark(
  { issues, values }: Pick<Row, 'issues' | 'values'>,
  field: InlineField,
): CellMark | null {
  const parent = field === 'price' ? issues.find(({ code }) => code === 'parent') : undefined;
  if (parent && Number(parseMoney(values.price ?? '')?.amount) === 0) {
    return { kind: 'unneeded', sentence: parent.message };
  }
  const ofField = issues.filter((issue) => issue.field === field);
  const issue = ofField.find(isProblem) ?? ofField[0];
  if (issue === undefined) return null;
  if (missingCodes.includes(issue.code)) return { kind: 'missing', sentence: issue.message };
  if (isUnneeded(issue)) return { kind: 'unneeded', sentence: issue.message };
  return { kind: isProblem(issue) ? 'bad' : 'note', sentence: issue.message };
}

export const needsOperator = ({
  class: name,
  leftOut,
  issues,
}: Pick<Row, 'class' | 'leftOut' | 'issues'>): boolean =>
  name !== 'valid' && !leftOut && !issues.some(isUnneeded);

export const sortProblemsFirst = (issues: Row['issues']): Row['issues'] => [
  ...issues.filter(isProblem),
  ...issues.filter((issue) => !isProblem(issue)),
];

/** Returns the message of a problem, else of an issue that explains the class but needs no action, else ''. */
export const findClassReason = ({ issues }: Pick<Row, 'issues'>): string =>
  (issues.find(isProblem) ?? issues.find(isUnneeded))?.message ?? '';

export const findProblemField = ({ issues }: Pick<Row, 'issues'>): InlineField | null =>
  fieldOf(issues.filter(isProblem), fieldsShownByDefault);

/** Returns the field of a problem, else of a note that needs action, else null. */
export const findWrongField = (
  row: Pick<Row, 'issues'>,
  fields: readonly InlineField[] = fieldsShownByDefault,
): InlineField | null =>
  findProblemField(row) ??
  fieldOf(
    row.issues.filter((issue) => !isUnneeded(issue)),
    fields,
  );

/** Returns the first field to edit: the filtered issue's, else the first wrong field, else the title. */
export function findFieldToEdit(
  row: Pick<Row, 'issues'>,
  fields: readonly InlineField[] = fieldsShownByDefault,
  issue?: string,
): InlineField {
  const ofFilter = findRowIssueField(row, issue);
  return fields.find((field) => field === ofFilter) ?? findWrongField(row, fields) ?? 'title';
}

export const findRowIssueField = ({ issues }: Pick<Row, 'issues'>, code: string | undefined): string | null =>
  issues.find((issue) => issue.code === code)?.field ?? null;

const fieldOf = (issues: readonly Issue[], fields: readonly InlineField[]): InlineField | null =>
  fields.find((field) => issues.some((issue) => issue.field === field)) ?? null;
