import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take over half a minute, which their size doesn't tell; begun late, one would run on alone in the end. */
const LONG = [
  'e2e/interruptions',
  'e2e/cashier',
  'engine/compress-image',
  'server/cut-out',
  'e2e/accessibility',
  'e2e/pages-accessibility',
  'e2e/workspace',
  'e2e/cut-out-editor',
  'engine/cli',
  'e2e/cut-out',
  'server/jobs',
  'e2e/keyboard',
  'engine/compress-image-fidelity',
  'engine/id-photo',
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
