import { createHash } from 'node:crypto'
import { withChunks, xmpChunk } from './png-chunks.ts'
import { extendWebp, riffChunk, webpChunks } from './webp-chunks.ts'
import { AppError } from '#shared/errors/app-error'

/** Formats a mark is written into. */
export type MarkedId = 'png' | 'webp' | 'jpeg'

/** Who makes results where no operator has said who they are. */
const PRODUCER = '轻图'
/** GB 45438-2025: the content is (1), may be (2), or is suspected to be (3) generated or synthesised; whoever made it knows. */
const IS_SYNTHESISED = '1'
const HAS_XMP = 0x04
const JPEG_LEAD = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1')
const [APP0, APP1] = [0xe0, 0xe1]

/** A text as the content of an XML element. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * What China's rules for synthesised content want in a file's metadata (《人工智能生成合成内容标识办法》, GB 45438-2025 annex E, in XMP as TC260's guide
 * for pictures puts it), and IPTC's word for a picture that a trained model has altered without making anything up. Whoever passes the file on fills in their own part.
 */
function packetOf(producer: string, id: string): Buffer {
  const aigc = {
    Label: IS_SYNTHESISED,
    ContentProducer: producer,
    ProduceID: id,
    ReservedCode1: '',
    ContentPropagator: '',
    PropagateID: '',
    ReservedCode2: '',
  }
  return Buffer.from(
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""` +
      ` xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">` +
      `<TC260:AIGC>${escaped(JSON.stringify(aigc))}</TC260:AIGC>` +
      `<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced</Iptc4xmpExt:DigitalSourceType>` +
      `</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
    'utf8',
  )
}

/** XMP behind everything else, as the container's specification orders chunks. */
function inWebp(file: Buffer, packet: Buffer): Buffer {
  const extended = webpChunks(file)[0]?.type === 'VP8X' ? file : extendWebp(file)
  const marked = Buffer.concat([extended, riffChunk('XMP ', packet)])
  marked.writeUInt32LE(marked.length - 8, 4)
  marked[20] = (marked[20] ?? 0) | HAS_XMP
  return marked
}

/** XMP behind JFIF and EXIF, which have to come first. */
function inJpeg(file: Buffer, packet: Buffer): Buffer {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) throw new AppError('file.unreadable', {})
  let at = 2
  while (at + 4 <= file.length && file[at] === 0xff && (file[at + 1] === APP0 || file[at + 1] === APP1)) at += 2 + file.readUInt16BE(at + 2)
  const head = Buffer.from([0xff, APP1, 0, 0])
  head.writeUInt16BE(2 + JPEG_LEAD.length + packet.length, 2)
  return Buffer.concat([file.subarray(0, at), head, JPEG_LEAD, packet, file.subarray(at)])
}

/**
 * A file without XMP, freshly encoded, with the mark of what a model has made: that it did, who runs the service (`轻图` where
 * nobody said), and a number of the content, which is its file's own digest. The picture's coded bytes stay as they are.
 */
export function withAiMark(file: Buffer, format: MarkedId, producer = PRODUCER): Buffer {
  const id = createHash('sha256').update(file).digest('hex').slice(0, 32)
  const packet = packetOf(producer, id)
  switch (format) {
    case 'png':
      return withChunks(file, xmpChunk(packet))
    case 'webp':
      return inWebp(file, packet)
    case 'jpeg':
      return inJpeg(file, packet)
  }
}
