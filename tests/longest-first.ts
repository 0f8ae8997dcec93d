import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take over a quarter of a minute, which their size doesn't tell, the longest first; begun late, one would run on alone in the end. */
const LONG = [
  'contract/every-tool',
  'contract/bad-inputs',
  'e2e/accessibility',
  'e2e/pages-accessibility',
  'e2e/interruptions',
  'e2e/compress',
  'e2e/cashier',
  'e2e/cut-out',
  'e2e/cut-out-editor',
  'e2e/paid',
  'server/cut-out',
  'server/operators',
  'server/database/template',
  'engine/compress-image',
  'engine/cli',
  'engine/pdf-ocr',
  'engine/compress-image-fidelity',
  'contract/bad-pdfs',
  'e2e/keyboard',
  'e2e/adding',
  'e2e/file-name',
  'e2e/tabs',
  'e2e/workspace',
  'e2e/phone',
  'e2e/editors',
  'e2e/together',
  'server/jobs',
  'engine/id-photo',
  'server/money-sums',
]

const place = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? LONG.length : at
}

const vitestsOrder = BaseSequencer.prototype.sort

/** Vitest's order, but within a project what takes long comes first on a machine that has no times of an earlier run, too. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await vitestsOrder.call(this, files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted.filter((one) => one.project === project).toSorted((one, other) => place(one) - place(other)),
    )
  }
}
