import { escaped } from '../billing/sandbox/page.ts'

/** The sandbox's stand-in for WeChat's page: the form brings its fields and the state back. */
export const agreePage = (name: string, state: string): string => `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>沙箱微信登录</title>
<body style="font-family: system-ui, sans-serif; max-width: 26rem; margin: 15vh auto; padding: 0 1rem; text-align: center">
<h1 style="font-size: 1.25rem">沙箱微信登录</h1>
<p>这是用于试用的模拟页面，不会连接微信。</p>
<form action="/api/user/wxlogin/sandbox/agree">
<p><label>沙箱微信号<br><input name="name" value="${escaped(name)}" maxlength="40" required autocomplete="off" style="width: 16rem; margin-top: .25rem; padding: .5rem; font: inherit; border: 1px solid #8a94a6; border-radius: 8px"></label></p>
<p style="color: #595959">在另一台电脑填写同一个沙箱微信号，即登录同一个账号。</p>
<input type="hidden" name="state" value="${escaped(state)}">
<p><button style="width: 16rem; min-height: 40px; font: inherit; font-weight: 600; color: #fff; background: #0b57d0; border: 0; border-radius: 8px">确认登录</button></p>
</form>
<p><a href="/callback/wxlogin">取消</a></p>
</body>
</html>
`
