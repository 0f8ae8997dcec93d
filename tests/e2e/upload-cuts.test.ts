import { expect, it } from 'vitest'
import { allows, askedBy } from '../fixtures/aliyun.ts'
import { uploadByPage } from '../fixtures/page-upload.ts'
import { bucketRules } from '#server/storage/bucket-rules'
import { uploadPolicy } from '#server/storage/policies'

it('a file whose upload by the page is cut comes whole, one part a cut is sent again, and asks for no more than its role may do', async () => {
  const report = await uploadByPage({ files: 1, megabytes: 16, cuts: 2, seed: 4 })
  expect(report).toMatchObject({ isWhole: true, cuts: 2, parts: 8 })
  // Two parts of 2 MB.
  expect(report.resentMb).toBeLessThanOrEqual(4)
  const policy = uploadPolicy('20230612test', 'u/')
  expect(report.requests.filter(({ method, url }) => !allows(policy, askedBy(method, url)))).toEqual([])
  const use = { bucket: '20230612test', roleArn: 'acs:ram::1:role/up', user: 'web', origin: 'https://www.example.com' }
  const cors = bucketRules(use).find(({ id }) => id === 'cors')?.text ?? ''
  const own = new Set(
    report.requests.flatMap(({ headers }) => headers.filter((name) => /^x-oss-|^content-(type|md5)$|^authorization$/.test(name))),
  )
  expect(own.size).toBeGreaterThan(4)
  for (const header of own) expect(cors).toContain(`<AllowedHeader>${header}</AllowedHeader>`)
  for (const { method } of report.requests) expect(cors).toContain(`<AllowedMethod>${method}</AllowedMethod>`)
})
