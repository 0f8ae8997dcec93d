import {
  Palette,
  Focus,
  Maximize,
  Bandage,
  MoveHorizontal,
  Contrast,
  Rainbow,
  CloudSun,
  Sparkles,
  Monitor,
  ScanText,
  Crop,
  FileArchive,
  FileText,
  Film,
  Grid3x3,
  IdCard,
  Image,
  Package,
  Repeat2,
  Ruler,
  Scissors,
  Target,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import type { ToolId } from '#shared/tools/index'

const ofTool: Readonly<Record<ToolId, LucideIcon>> = {
  'compress-image': Image,
  'convert-image': Repeat2,
  'crop-image': Crop,
  'cut-out': Scissors,
  'id-photo': IdCard,
  'pack-zip': FileArchive,
  'pdf-to-text': FileText,
  'resize-image': Ruler,
  'set-dpi': Grid3x3,
  colourize: Palette,
  sharpen: Focus,
  upscale: Maximize,
  'repair-jpeg': Bandage,
  unstretch: MoveHorizontal,
  'enhance-contrast': Contrast,
  'enhance-colour': Rainbow,
  dehaze: CloudSun,
  denoise: Sparkles,
  'remove-moire': Monitor,
  'scan-document': ScanText,
}
/** Pages that do something of their own with their tool. */
const ofPage: Readonly<Record<string, LucideIcon>> = {
  '/': Target,
  '/sizemb': Target,
  '/gif': Film,
  '/matting/person': UserRound,
  '/transparent/person': UserRound,
  '/matting/goods': Package,
  '/transparent/goods': Package,
}

/** The picture of a page in the side menu. */
export const pageIcon = (tool: ToolId, path: string): LucideIcon => ofPage[path] ?? ofTool[tool]
