# Packs once more what `cargo xtask bundle` has compiled, and signs it, with the certificate of the environment
# (Windows). Replaces the packages in artifacts/packages. Starts the packers alone: build scripts, macros and packages of
# npm are code of others, which must not run beside a key.
$ErrorActionPreference = 'Stop'
$thumbprint = $env:WINDOWS_CERTIFICATE_THUMBPRINT
if (-not $thumbprint) {
    if (-not $env:WINDOWS_CERTIFICATE) {
        'not signed by anybody: neither WINDOWS_CERTIFICATE_THUMBPRINT nor WINDOWS_CERTIFICATE is set'
        exit
    }
    # Into the user's store, with its chain. Nothing is written to a file.
    $all = New-Object System.Security.Cryptography.X509Certificates.X509Certificate2Collection
    $bytes = [Convert]::FromBase64String($env:WINDOWS_CERTIFICATE)
    $all.Import($bytes, $env:WINDOWS_CERTIFICATE_PASSWORD, 'UserKeySet, PersistKeySet')
    foreach ($one in $all) {
        $name = if ($one.HasPrivateKey) { 'My' } else { 'CA' }
        $store = New-Object System.Security.Cryptography.X509Certificates.X509Store $name, 'CurrentUser'
        $store.Open('ReadWrite')
        $store.Add($one)
        $store.Close()
    }
    $own = @($all | Where-Object { $_.HasPrivateKey })
    if ($own.Count -ne 1) { throw 'WINDOWS_CERTIFICATE must hold one certificate with a private key' }
    $thumbprint = $own[0].Thumbprint
}
$windows = @{ certificateThumbprint = $thumbprint; digestAlgorithm = 'sha256' }
if ($env:WINDOWS_TIMESTAMP_URL) { $windows.timestampUrl = $env:WINDOWS_TIMESTAMP_URL }
$settings = Join-Path ([IO.Path]::GetTempPath()) 'sonde-signing.json'
@{ bundle = @{ windows = $windows } } | ConvertTo-Json -Depth 3 | Set-Content -Encoding ascii $settings
# Tauri needs only the fingerprint.
Remove-Item Env:WINDOWS_CERTIFICATE*
Set-Location "$PSScriptRoot/../src-tauri"
node ../packaging/node_modules/@tauri-apps/cli/tauri.js bundle --ci --no-binary-patching --bundles msi,nsis --config tauri.bundle.conf.json --config $settings
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
$target = if ($env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR } else { '../target' }
Copy-Item "$target/release/bundle/msi/*.msi", "$target/release/bundle/nsis/*.exe" ../artifacts/packages
