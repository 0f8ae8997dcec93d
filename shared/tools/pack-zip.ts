import { defineTool } from '#shared/tools/define'
import { optionalNumber, text } from '#shared/tools/field'

/** Files and folders of any kind into one zip, or several below a size. */
export const packZip = defineTool({
  id: 'pack-zip',
  section: 'compress',
  label: '打包成ZIP',
  accepts: 'any',
  takes: 'all',
  editor: 'form',
  cost: 'free',
  runsOn: ['cloud', 'desktop'],
  options: {
    name: text({ label: '压缩包名称', maxLength: 60, placeholder: '不填则用文件夹的名称' }),
    splitMb: optionalNumber({
      label: '每个压缩包不超过',
      unit: 'MB',
      min: 1,
      max: 2000,
      presets: [10, 20, 50, 100],
      hint: '超过时分成几个，每个都能单独解压',
    }),
    password: text({
      label: '解压密码',
      maxLength: 64,
      isSecret: true,
      placeholder: '不填则不加密',
      hint: '加密后请用 7-Zip、Bandizip、360压缩等软件解压，Windows 自带的解压打不开',
    }),
  },
  pages: [{ path: '/zip', label: '打包成ZIP', inMenu: true }],
})
