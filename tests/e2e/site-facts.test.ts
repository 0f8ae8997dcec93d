import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { openPage } from '../fixtures/browser.ts'
import { testFolder } from '../fixtures/engine.ts'
import { testServer } from '../fixtures/server.ts'

const facts = {
  company: '示例公司',
  licence: '示例执照号',
  icp: '示例备案号',
  policeNumber: '示例公安备案号',
  copyright: '© 示例',
  partnerCopyright: '© 示例与伙伴',
  partnerIcp: '伙伴备案号',
  contact: 'help@site.example',
  messagingContact: 'example-help',
  serviceQr: '/icon.svg',
  installer: { url: 'https://downloads.site.example/setup.exe', sha256: 'AB'.repeat(32), bytes: 90_000_000 },
}

it('what the operator has told of the site stands where it belongs, and in the partner’s last line for the partner’s visitors', async () => {
  await using folder = await testFolder()
  const file = join(folder.path, 'site.json')
  writeFileSync(file, JSON.stringify(facts))
  await using server = await testServer({}, { SITE_FILE: file, PARTNER_MARKER: 'partner' })
  await using opened = await openPage(server.url)
  const { page, complaints } = opened
  const footer = page.getByRole('contentinfo')
  for (const text of ['示例公司', '示例执照号', '示例备案号', '示例公安备案号', '© 示例', 'help@site.example', 'example-help']) {
    await footer.getByText(text).first().waitFor()
  }
  expect(await page.getByText('待配置').count()).toBe(0)
  await page.getByRole('banner').getByRole('button', { name: '在线客服' }).hover()
  await page.getByRole('img', { name: '客服二维码' }).waitFor()
  await page.getByRole('banner').getByRole('button', { name: '客户端下载' }).hover()
  const download = page.getByRole('dialog', { name: '客户端下载' })
  await download.getByText('轻图 Windows 客户端 1.2.3').waitFor()
  await download.getByText('ab'.repeat(32)).waitFor()
  await download.getByText('85.8 MB').waitFor()
  expect(await violations(page, 'download')).toEqual([])
  expect(await download.getByRole('link', { name: '下载安装包' }).getAttribute('href')).toBe(facts.installer.url)
  await page.goto(`${server.url}/?from=partner`)
  await footer.getByText('© 示例与伙伴').waitFor()
  await footer.getByText('伙伴备案号').waitFor()
  expect(await footer.getByText('示例备案号').count()).toBe(0)
  expect(complaints).toEqual([])
})

it('what is not set says so, and the download waits', async () => {
  await using server = await testServer()
  await using opened = await openPage(server.url)
  const { page } = opened
  await page.getByRole('contentinfo').getByText('公司：待配置').waitFor()
  expect(await page.getByRole('banner').getByRole('button', { name: '客户端下载' }).isDisabled()).toBe(true)
  await page.getByText('沙箱支付，不会真实扣款').waitFor()
})
