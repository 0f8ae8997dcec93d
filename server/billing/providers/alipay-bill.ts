import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { fenOf, readPlainTime } from './notation.ts'
import { MOST_BILL_BYTES, type BillLine } from './provider.ts'

/** The columns read, by their names in the bill. */
const columns = { transactionId: '支付宝交易号', orderId: '商户订单号', kind: '业务类型', at: '完成时间', yuan: '订单金额（元）' } as const

/**
 * The lines of a day's trade bill: a zip with a CSV in GBK, remarks in lines that begin with #, and tabs behind values so that
 * spreadsheets leave long numbers alone. The other file in it, named 汇总, sums the first up.
 */
export async function readAlipayBill(zip: Uint8Array): Promise<readonly BillLine[]> {
  const reader = new ZipReader(new Uint8ArrayReader(zip), { filenameEncoding: 'gbk' })
  try {
    const files = (await reader.getEntries()).flatMap((entry) => (entry.directory ? [] : [entry]))
    const details = files.find(({ filename }) => filename.endsWith('.csv') && !filename.includes('汇总'))
    if (!details || details.uncompressedSize > MOST_BILL_BYTES) throw new Error('no bill in the zip')
    return readLines(new TextDecoder('gbk').decode(await details.getData(new Uint8ArrayWriter())))
  } finally {
    await reader.close()
  }
}

function readLines(text: string): readonly BillLine[] {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((cell) => cell.trim()))
  const [head = [], ...body] = rows
  const at = (row: readonly string[], name: keyof typeof columns): string => row[head.indexOf(columns[name])] ?? ''
  return body.map((row) => ({
    kind: at(row, 'kind') === '退款' ? 'refund' : 'payment',
    orderId: at(row, 'orderId'),
    transactionId: at(row, 'transactionId'),
    // What goes back is below nothing.
    amountFen: fenOf(at(row, 'yuan').replace('-', '')),
    at: readPlainTime(at(row, 'at')),
  }))
}
